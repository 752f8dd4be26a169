import type { Hashes } from './hash-messages.ts'
import type { BodyHasher } from './hash-thread.ts'
import { sharedBytes, type HasherPool } from './hasher-pool.ts'

/** Pooled blocks of one body: one is filled while another is written and a third is still hashed. */
const maxPooled = 3

/** Bytes of a body's own block, its first. A body that ends within it needs neither the pool nor a thread. */
export const ownBlockSize = 128 * 1024

/**
 * The memory of one body on its way in. Chunks of any size are gathered into blocks; each full block is hashed
 * by a thread and handed to the reader, and used again when both are done with it.
 */
export interface BlockLine {
  /**
   * Takes a chunk over.
   * @returns false when there is no room for more: wait for `onRoom` before the next chunk
   */
  put(chunk: Uint8Array): boolean
  /** All bytes so far, while they fit into the first block. */
  whole(): Uint8Array | undefined
  /** No more chunks: the last block goes its way. Resolves with the hashes of all bytes. */
  finish(): Promise<Hashes>
  /** The next block for the reader, who is done with the one before; nothing when none is full. */
  next(): Uint8Array | undefined
  /** Lets go of all memory but the block that the reader has in hand: that one is let go by `next`. */
  drop(): void
}

export interface BlockLineOptions {
  readonly hashers: HasherPool
  /** A full block waits for the reader. */
  readonly onBlock: () => void
  /** Chunks are welcome again. */
  readonly onRoom: () => void
  /** The bytes cannot be hashed to their end. */
  readonly onFailure: (error: Error) => void
}

interface Block {
  readonly memory: Uint8Array
  filled: number
  /** Who still needs it: the reader, the hashing thread, or both. */
  users: number
}

export function blockLine({ hashers, onBlock, onRoom, onFailure }: BlockLineOptions): BlockLine {
  const { blocks: pool } = hashers
  /** Blocks that are being filled, read or hashed. */
  const inUse = new Set<Block>()
  const full: Block[] = []
  let own: Uint8Array | undefined
  let hasher: BodyHasher | undefined
  let current: Block | undefined
  let inHand: Block | undefined
  /** What is left of a chunk that found no room. */
  let rest: Uint8Array | undefined

  /**
   * Slow clients may hold all blocks of the pool. A body never waits for others, though: its own block lets it
   * go on, in smaller steps.
   */
  const newMemory = (): Uint8Array | undefined => {
    if (own === undefined) return (own = sharedBytes(ownBlockSize))
    const pooled = inUse.size < maxPooled ? pool.take() : undefined
    return pooled ?? (inUse.size === 0 ? own : undefined)
  }
  const newBlock = (): Block | undefined => {
    const memory = newMemory()
    if (memory === undefined) return undefined
    const block = { memory, filled: 0, users: 0 }
    inUse.add(block)
    return block
  }
  const free = (block: Block) => {
    inUse.delete(block)
    if (block.memory !== own) pool.give(block.memory)
  }
  const letGo = (block: Block) => {
    block.users -= 1
    if (block.users > 0) return
    free(block)
    if (rest === undefined) return
    const chunk = rest
    rest = undefined
    if (put(chunk)) onRoom()
  }

  /** A full block goes to the hashing thread and to the reader at once. */
  const pass = (block: Block) => {
    current = undefined
    block.users = 2
    hasher ??= hashers.open(onFailure)
    hasher.update(block.memory.subarray(0, block.filled), () => {
      letGo(block)
    })
    full.push(block)
    onBlock()
  }

  const put = (chunk: Uint8Array): boolean => {
    let offset = 0
    while (offset < chunk.length) {
      current ??= newBlock()
      if (current === undefined) {
        rest = chunk.subarray(offset)
        return false
      }
      const { memory, filled } = current
      const part = chunk.subarray(offset, offset + memory.length - filled)
      memory.set(part, filled)
      current.filled += part.length
      offset += part.length
      if (current.filled === memory.length) pass(current)
    }
    return true
  }

  return {
    put,
    whole: () => (hasher === undefined ? current?.memory.subarray(0, current.filled) : undefined),
    finish() {
      if (current !== undefined) pass(current)
      hasher ??= hashers.open(onFailure)
      return hasher.digest()
    },
    next() {
      if (inHand !== undefined) letGo(inHand)
      inHand = full.shift()
      return inHand?.memory.subarray(0, inHand.filled)
    },
    drop() {
      rest = undefined
      current = undefined
      full.length = 0
      // A thread may still read what is given back here: its hashes are thrown away, so that does no harm.
      hasher?.drop()
      for (const block of inUse) if (block !== inHand) free(block)
      if (inHand !== undefined) inHand.users = 1
    },
  }
}
