import { availableParallelism } from 'node:os'
import { boundedBufferPool, type BoundedBufferPool } from '../bounded-buffer-pool.ts'
import { hashMemory, type HashMemory } from './hash-memory.ts'
import { startHashThread, type BodyHasher, type HashThread } from './hash-thread.ts'

/** Threads that hash large bodies outside the event loop, and the memory that they share with it. */
export interface HasherPool {
  /** Blocks in shared memory, which threads read without a copy. */
  readonly blocks: BoundedBufferPool
  /**
   * Starts to hash a body on the thread with the fewest bodies.
   * @param onFailure called when the thread stops before the body is hashed
   */
  readonly open: (onFailure: (error: Error) => void) => BodyHasher
  /** The number of bodies that are being hashed. */
  readonly bodies: () => number
  /**
   * Gives the shared memory to the garbage collector, unless a thread runs or a block is in use.
   * @returns bytes
   */
  readonly trim: () => number
  /** Stops all threads; open bodies fail. */
  close(): Promise<void>
}

export interface HasherPoolOptions {
  /**
   * The maximum number of threads, which start when they are first needed. By default one less than the number of
   * processors: one processor runs the event loop, and each thread hashes up to four bodies at once.
   */
  readonly threads?: number
  /** The number of blocks for all bodies; 32 by default. */
  readonly blocks?: number
  /** Bytes of a block, a multiple of 64 KiB; 1 MiB by default. */
  readonly blockSize?: number
}

interface ThreadSlot {
  readonly number: number
  thread: HashThread | undefined
}

/** The load of a thread. A new thread is preferred to a busy one. */
const load = ({ thread }: ThreadSlot): number => thread?.bodies ?? 0.5

export function hasherPool({
  threads = Math.max(1, availableParallelism() - 1),
  blocks = 32,
  blockSize = 1024 * 1024,
}: HasherPoolOptions = {}): HasherPool {
  let memory: HashMemory | undefined
  // Created when it is first needed, because the WebAssembly runtime takes 4 MB.
  const sharedMemory = () => (memory ??= hashMemory(threads, blocks, blockSize))
  const slots = Array.from({ length: threads }, (_, number): ThreadSlot => ({ number, thread: undefined }))

  const start = (slot: ThreadSlot): HashThread => {
    const { memory, contextAddress } = sharedMemory()
    return startHashThread({ memory, contextAddress: contextAddress(slot.number) }, () => {
      slot.thread = undefined
    })
  }

  const pool = boundedBufferPool({
    size: blockSize,
    count: blocks,
    allocate: (size) => sharedMemory().nextBlock(size),
  })

  return {
    blocks: pool,
    open(onFailure) {
      const slot = slots.reduce((best, other) => (load(other) < load(best) ? other : best))
      slot.thread ??= start(slot)
      return slot.thread.open(onFailure)
    },
    bodies: () => slots.reduce((sum, { thread }) => sum + (thread?.bodies ?? 0), 0),
    trim() {
      const isUsed = pool.available() < blocks || slots.some(({ thread }) => thread !== undefined)
      if (isUsed) return 0
      memory = undefined
      return pool.trim()
    },
    async close() {
      await Promise.all(slots.map(async ({ thread }) => thread?.stop()))
    },
  }
}
