import type { BodyDigest, RunningDigest } from '../hash/body-digest.ts'
import type { BoundedBufferPool } from '../bounded-buffer-pool.ts'
import { detachBuffer } from '../detach-buffer.ts'
import { sharedBytes } from '../shared-bytes.ts'

/** The maximum number of blocks of a body: one is filled, one is written, and one is hashed. */
const maxBlocks = 3

/** Bytes of the first block of a body. A body that fits into it needs neither the pool nor a thread. */
export const firstBlockSize = 128 * 1024

const noBytes = new Uint8Array()

/** A first chunk up to this size is kept without a copy: most small bodies are a single chunk. */
const maxKept = 64 * 1024

/**
 * The memory of a body that is being received. Chunks of any size are collected in blocks. A thread hashes each full
 * block while the reader writes it, and the block is reused when both have finished.
 */
export interface BlockQueue<Sum> {
  /**
   * Takes ownership of a chunk, and of its memory if the chunk is all of an ArrayBuffer.
   * @returns false when the blocks are full: wait for `onDrain` before the next chunk
   */
  readonly put: (chunk: Buffer) => boolean
  /**
   * Passes the bytes of an incomplete block to the reader, and an empty block after them.
   * @returns false when there is no free block
   */
  readonly flush: () => boolean
  /** Ends the body; the last block follows when a block is free. Resolves with the digest of all bytes. */
  readonly finish: () => Promise<Sum>
  /** The next block for the reader, which no longer uses the previous one; undefined when none is full. */
  readonly next: () => Uint8Array | undefined
  /** Releases all memory except the block that the reader is using, which `next` releases. */
  readonly drop: () => void
}

export interface BlockQueueOptions<Sum> {
  /** Blocks in shared memory. */
  readonly pool: BoundedBufferPool
  readonly sum: BodyDigest<Sum>
  /** Called when a block is ready for the reader. */
  readonly onBlock: () => void
  /** Called when chunks can be added again. */
  readonly onDrain: () => void
  /** Called when the last block is ready. */
  readonly onLast: () => void
  /** Called when the digest cannot be completed. */
  readonly onFailure: (error: Error) => void
}

interface Block {
  readonly memory: Uint8Array
  readonly pooled: boolean
  filled: number
  /** The number of users: the reader, the hash thread, or both. */
  users: number
}

export function blockQueue<Sum>({
  pool,
  sum,
  onBlock,
  onDrain,
  onLast,
  onFailure,
}: BlockQueueOptions<Sum>): BlockQueue<Sum> {
  /** Blocks that are being filled, read or hashed. */
  const inUse = new Set<Block>()
  const full: Block[] = []
  let kept: Buffer | undefined
  let firstBlock: Uint8Array | undefined
  let running: RunningDigest<Sum> | undefined
  let current: Block | undefined
  let readerBlock: Block | undefined
  /** A chunk whose bytes from `offset` on did not fit. */
  let rest: { readonly chunk: Buffer; readonly offset: number } | undefined
  let ending: PromiseWithResolvers<Sum> | undefined

  const use = (memory: Uint8Array, pooled: boolean): Block => {
    const block = { memory, pooled, filled: 0, users: 0 }
    inUse.add(block)
    return block
  }
  /**
   * Slow clients may hold all blocks of the pool. A body does not wait for others, because it can continue with its first
   * block in smaller steps.
   */
  const newBlock = (): Block | undefined => {
    if (firstBlock === undefined) return use((firstBlock = sharedBytes(firstBlockSize)), false)
    const pooled = inUse.size < maxBlocks ? pool.acquire() : undefined
    if (pooled !== undefined) return use(pooled, true)
    return inUse.size === 0 ? use(firstBlock, false) : undefined
  }
  const freeBlock = (block: Block) => {
    inUse.delete(block)
    if (block.pooled) pool.release(block.memory)
  }
  const releaseBlock = (block: Block) => {
    block.users -= 1
    if (block.users > 0) return
    freeBlock(block)
    if (rest === undefined) return
    const { chunk, offset } = rest
    rest = undefined
    if (!fill(chunk, offset)) return
    if (ending === undefined) onDrain()
    else complete(ending)
  }

  /** Passes a full block to the hash thread and to the reader. */
  const pass = (block: Block) => {
    current = undefined
    block.users = 2
    running ??= sum.open(onFailure)
    running.update(block.memory.subarray(0, block.filled), () => {
      releaseBlock(block)
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
    return sum.digestSmall(bytes)
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
      if (firstBlock === undefined && kept === undefined && chunk.length <= maxKept) {
        kept = chunk
        return true
      }
      if (kept !== undefined) fill(kept)
      kept = undefined
      return fill(chunk)
    },
    flush() {
      if (rest !== undefined || ending !== undefined) return false
      if (kept !== undefined) fill(kept)
      kept = undefined
      if (current !== undefined) pass(current)
      full.push({ memory: noBytes, pooled: false, filled: 0, users: 1 })
      onBlock()
      return true
    },
    finish() {
      ending = Promise.withResolvers<Sum>()
      // A source may end although it is paused.
      if (rest === undefined) complete(ending)
      return ending.promise
    },
    next() {
      if (readerBlock !== undefined) releaseBlock(readerBlock)
      readerBlock = full.shift()
      return readerBlock?.memory.subarray(0, readerBlock.filled)
    },
    drop() {
      rest = undefined
      kept = undefined
      current = undefined
      full.length = 0
      // A thread may still read a released block; its digest is discarded, so this is harmless.
      running?.drop()
      for (const block of inUse) if (block !== readerBlock) freeBlock(block)
      if (readerBlock !== undefined) readerBlock.users = 1
    },
  }
}
