import { availableParallelism } from 'node:os'
import { boundedBufferPool, type BoundedBufferPool } from '../bounded-buffer-pool.ts'
import { hashMemory, type HashMemory } from './hash-memory.ts'
import { startHashThread, type BodyHasher, type HashThread } from './hash-thread.ts'

/** Threads that hash big bodies, so that the event loop stays free, and the memory they share with it. */
export interface HasherPool {
  /** Blocks in shared memory: threads read them without a copy. */
  readonly blocks: BoundedBufferPool
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
  /**
   * At most so many threads, which start when they are first needed. By default one per processor, but for one: what
   * comes in faster than the event loop can be hashed in lanes beside each other.
   */
  readonly threads?: number
  /** Blocks of all bodies together; 32 unless told otherwise. */
  readonly blocks?: number
  /** Bytes of a block, a multiple of 64 KiB; 1 MiB unless told otherwise. */
  readonly blockSize?: number
}

interface Seat {
  readonly number: number
  thread: HashThread | undefined
}

/** How busy a seat's thread is: one that would have to be started comes before one that has something to do. */
const load = ({ thread }: Seat): number => thread?.bodies ?? 0.5

export function hasherPool({
  threads = Math.max(1, availableParallelism() - 1),
  blocks = 32,
  blockSize = 1024 * 1024,
}: HasherPoolOptions = {}): HasherPool {
  let memory: HashMemory | undefined
  // Made when it is first needed, as the machinery behind it takes 4 MB.
  const shared = () => (memory ??= hashMemory(threads, blocks, blockSize))
  const seats = Array.from({ length: threads }, (_, number): Seat => ({ number, thread: undefined }))

  const start = (seat: Seat): HashThread => {
    const { memory, ofThread } = shared()
    return startHashThread({ memory, own: ofThread(seat.number) }, () => {
      seat.thread = undefined
    })
  }

  return {
    blocks: boundedBufferPool({
      size: blockSize,
      count: blocks,
      allocate: (size) => shared().nextBlock(size),
    }),
    open(onFailure) {
      const seat = seats.reduce((best, other) => (load(other) < load(best) ? other : best))
      seat.thread ??= start(seat)
      return seat.thread.open(onFailure)
    },
    bodies: () => seats.reduce((sum, { thread }) => sum + (thread?.bodies ?? 0), 0),
    async close() {
      await Promise.all(seats.map(async ({ thread }) => thread?.stop()))
    },
  }
}
