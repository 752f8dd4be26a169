import { availableParallelism } from 'node:os'
import { boundedPool, type BoundedPool } from './bounded-pool.ts'
import { startHashThread, type BodyHasher, type HashThread } from './hash-thread.ts'

/** Threads that hash big bodies, so that the event loop stays free, and the memory they share with it. */
export interface HasherPool {
  /** Blocks in shared memory: threads read them without a copy. */
  readonly blocks: BoundedPool
  /**
   * Starts the hashes of one body, on the thread with the fewest bodies.
   * @param onFailure told when the thread dies: the body cannot be hashed to its end
   */
  readonly open: (onFailure: (error: Error) => void) => BodyHasher
  /** How many bodies are being hashed now. */
  readonly bodies: () => number
  /** Stops all threads; bodies still open fail. */
  close(): Promise<void>
}

export interface HasherPoolOptions {
  /** At most so many threads; by default one per processor. They start when they are first needed. */
  readonly threads?: number
  /** Blocks of all bodies together; 32 unless told otherwise. */
  readonly blocks?: number
  /** Bytes of a block; 1 MiB unless told otherwise. */
  readonly blockSize?: number
}

/**
 * Memory that threads can read too. That it could grow, to no more than its size, makes it begin at a page, as
 * writes need it that go past the page cache.
 */
export const sharedBytes = (size: number) =>
  new Uint8Array(new SharedArrayBuffer(size, { maxByteLength: size }), 0, size)

export function hasherPool({
  threads: maxThreads = availableParallelism(),
  blocks = 32,
  blockSize = 1024 * 1024,
}: HasherPoolOptions = {}): HasherPool {
  const threads = new Set<HashThread>()

  const start = () => {
    const thread = startHashThread(() => threads.delete(thread))
    threads.add(thread)
    return thread
  }
  const leastBusy = () =>
    [...threads].reduce<HashThread | undefined>(
      (best, thread) => (best === undefined || thread.bodies < best.bodies ? thread : best),
      undefined,
    )

  return {
    blocks: boundedPool({ size: blockSize, count: blocks, allocate: sharedBytes }),
    open(onFailure) {
      const idlest = leastBusy()
      const thread =
        idlest === undefined || (idlest.bodies > 0 && threads.size < maxThreads) ? start() : idlest
      return thread.open(onFailure)
    },
    bodies: () => [...threads].reduce((sum, thread) => sum + thread.bodies, 0),
    async close() {
      await Promise.all([...threads].map((thread) => thread.stop()))
    },
  }
}
