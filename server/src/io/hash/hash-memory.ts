import { pageBytes, sharedMemory, type SharedMemory } from '@svc/assembler'
import { moduleBytes } from '../md5/module.ts'

/** The memory that all hash threads share, with the blocks of bodies. */
export interface HashMemory {
  readonly memory: SharedMemory
  /** The address of the memory that one thread alone uses. */
  readonly contextAddress: (thread: number) => number
  /**
   * The next block.
   * @throws RangeError when all blocks have been created
   */
  readonly nextBlock: (size: number) => Uint8Array
}

/**
 * The operating system allocates the memory when it is first written. Blocks begin at a page boundary, which writes that
 * bypass the page cache require.
 * @param blockSize bytes, a multiple of `pageBytes`
 */
export function hashMemory(threads: number, blocks: number, blockSize: number): HashMemory {
  const blocksAt = Math.ceil((threads * moduleBytes) / pageBytes) * pageBytes
  const memory = sharedMemory((blocksAt + blocks * blockSize) / pageBytes)
  let created = 0
  return {
    memory,
    contextAddress: (thread) => thread * moduleBytes,
    nextBlock(size) {
      const at = blocksAt + created * blockSize
      created += 1
      return new Uint8Array(memory.buffer, at, size)
    },
  }
}
