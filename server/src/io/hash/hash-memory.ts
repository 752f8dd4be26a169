import { pageBytes, sharedMemory, type SharedMemory } from '@svc/assembler'
import { ownBytes } from '../md5/program.ts'

/** Memory that the programs of all hashing threads see, with the blocks in which bodies are gathered. */
export interface HashMemory {
  readonly memory: SharedMemory
  /** Address of what a thread has for itself. */
  readonly ofThread: (thread: number) => number
  /** The next block. @throws RangeError when there are as many as were asked for */
  readonly nextBlock: (size: number) => Uint8Array
}

/**
 * The system gives memory away where it is first written to. Blocks begin at a page, as writes need it that go past the
 * page cache.
 * @param blockSize bytes, a multiple of `pageBytes`
 */
export function hashMemory(threads: number, blocks: number, blockSize: number): HashMemory {
  const blocksAt = Math.ceil((threads * ownBytes) / pageBytes) * pageBytes
  const memory = sharedMemory((blocksAt + blocks * blockSize) / pageBytes)
  let made = 0
  return {
    memory,
    ofThread: (thread) => thread * ownBytes,
    nextBlock(size) {
      const at = blocksAt + made * blockSize
      made += 1
      return new Uint8Array(memory.buffer, at, size)
    },
  }
}
