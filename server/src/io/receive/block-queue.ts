import type { BodyDigest, RunningDigest } from '../hash/body-digest.ts'
import type { BoundedBufferPool } from '../bounded-buffer-pool.ts'
import { detachBuffer } from '../detach-buffer.ts'
import { sharedBytes } from '../shared-bytes.ts'

/** Blocks of one body: one is filled while another is written and a third is still hashed. */
const maxBlocks = 3

/** Bytes of a body's own block, its first. A body that ends within it needs neither the pool nor a thread. */
export const ownBlockSize = 128 * 1024

/** A first chunk up to this size is kept as it came: most small bodies come in one piece and need no copy. */
const maxKept = 64 * 1024

/**
 * The memory of one body on its way in. Chunks of any size are gathered into blocks; each full block is hashed
 * by a thread and handed to the reader, and used again when both are done with it.
 */
export interface BlockQueue<Sum> {
  /**
   * Takes a chunk over, and its memory if it is all of an ArrayBuffer.
   * @returns false when there is no room for more: wait for `onRoom` before the next chunk
   */
  readonly put: (chunk: Buffer) => boolean
  /** No more chunks: the last block goes its way when there is room. Resolves with the sum of all bytes. */
  readonly finish: () => Promise<Sum>
  /** The next block for the reader, who is done with the one before; nothing when none is full. */
  readonly next: () => Uint8Array | undefined
  /** Lets go of all memory but the block that the reader has in hand: that one is let go by `next`. */
  readonly drop: () => void
}

export interface BlockQueueOptions<Sum> {
  /** Blocks in memory that threads can read. */
  readonly pool: BoundedBufferPool
  readonly sum: BodyDigest<Sum>
  /** A block waits for the reader. */
  readonly onBlock: () => void
  /** Chunks are welcome again. */
  readonly onRoom: () => void
  /** No more blocks than those that wait now. */
  readonly onLast: () => void
  /** The sum cannot be worked out to its end. */
  readonly onFailure: (error: Error) => void
}

interface Block {
  readonly memory: Uint8Array
  readonly pooled: boolean
  filled: number
  /** Who still needs it: the reader, the hashing thread, or both. */
  users: number
}

export function blockQueue<Sum>({
  pool,
  sum,
  onBlock,
  onRoom,
  onLast,
  onFailure,
}: BlockQueueOptions<Sum>): BlockQueue<Sum> {
  /** Blocks that are being filled, read or hashed. */
  const inUse = new Set<Block>()
  const full: Block[] = []
  let kept: Buffer | undefined
  let own: Uint8Array | undefined
  let running: RunningDigest<Sum> | undefined
  let current: Block | undefined
  let inHand: Block | undefined
  /** A chunk that found no room for the bytes from `offset` on. */
  let rest: { readonly chunk: Buffer; readonly offset: number } | undefined
  let ending: PromiseWithResolvers<Sum> | undefined

  const use = (memory: Uint8Array, pooled: boolean): Block => {
    const block = { memory, pooled, filled: 0, users: 0 }
    inUse.add(block)
    return block
  }
  /**
   * Slow clients may hold all blocks of the pool. A body never waits for others, though: its own block lets it
   * go on, in smaller steps.
   */
  const newBlock = (): Block | undefined => {
    if (own === undefined) return use((own = sharedBytes(ownBlockSize)), false)
    const pooled = inUse.size < maxBlocks ? pool.take() : undefined
    if (pooled !== undefined) return use(pooled, true)
    return inUse.size === 0 ? use(own, false) : undefined
  }
  const free = (block: Block) => {
    inUse.delete(block)
    if (block.pooled) pool.give(block.memory)
  }
  const letGo = (block: Block) => {
    block.users -= 1
    if (block.users > 0) return
    free(block)
    if (rest === undefined) return
    const { chunk, offset } = rest
    rest = undefined
    if (!fill(chunk, offset)) return
    if (ending === undefined) onRoom()
    else complete(ending)
  }

  /** A full block goes to the hashing thread and to the reader at once. */
  const pass = (block: Block) => {
    current = undefined
    block.users = 2
    running ??= sum.open(onFailure)
    running.update(block.memory.subarray(0, block.filled), () => {
      letGo(block)
    })
    full.push(block)
    onBlock()
  }
  const fill = (chunk: Buffer, start = 0): boolean => {
    let offset = start
    while (offset < chunk.length) {
      current ??= newBlock()
      if (current === undefined) {
        rest = { chunk, offset }
        return false
      }
      const { memory, filled } = current
      const count = chunk.copy(memory, filled, offset)
      current.filled += count
      offset += count
      if (current.filled === memory.length) pass(current)
    }
    detachBuffer(chunk)
    return true
  }

  const completeSmall = (bytes: Uint8Array): Sum => {
    current = undefined
    if (bytes.length > 0) full.push({ memory: bytes, pooled: false, filled: bytes.length, users: 1 })
    return sum.ofSmall(bytes)
  }
  const complete = ({ resolve, reject }: PromiseWithResolvers<Sum>) => {
    if (running === undefined) {
      resolve(completeSmall(kept ?? current?.memory.subarray(0, current.filled) ?? new Uint8Array()))
    } else {
      if (current !== undefined) pass(current)
      running.digest().then(resolve, reject)
    }
    onLast()
  }

  return {
    put(chunk) {
      if (own === undefined && kept === undefined && chunk.length <= maxKept) {
        kept = chunk
        return true
      }
      if (kept !== undefined) fill(kept)
      kept = undefined
      return fill(chunk)
    },
    finish() {
      ending = Promise.withResolvers<Sum>()
      // A source may end although it was told to pause.
      if (rest === undefined) complete(ending)
      return ending.promise
    },
    next() {
      if (inHand !== undefined) letGo(inHand)
      inHand = full.shift()
      return inHand?.memory.subarray(0, inHand.filled)
    },
    drop() {
      rest = undefined
      kept = undefined
      current = undefined
      full.length = 0
      // A thread may still read what is given back here: its sum is thrown away, so that does no harm.
      running?.drop()
      for (const block of inUse) if (block !== inHand) free(block)
      if (inHand !== undefined) inHand.users = 1
    },
  }
}
