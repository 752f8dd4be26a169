import { alignedBytes, alignment, type DirectWrites } from './direct-writes.ts'
import { writeFile } from './file-calls.ts'

/** Writes chunks sequentially, starting at any position of a file. */
export interface SequentialWriter {
  readonly write: (chunk: Uint8Array) => Promise<void>
  /** Writes the bytes of an incomplete block. */
  readonly flush: () => Promise<void>
  /** The position up to which bytes are written, without those of an incomplete block. */
  readonly position: () => number
}

const blockSize = 1024 * 1024

/**
 * A resumed file rarely ends at a block of the disk. Chunks for direct writes are then copied into aligned blocks, because
 * a copy in memory is cheap compared to the page cache. This lasts until a flush at an aligned position.
 */
export function sequentialWriter(file: number, direct: DirectWrites, start: number): SequentialWriter {
  let position = start
  let block: Uint8Array | undefined
  let filled = 0

  const put = async (bytes: Uint8Array) => {
    const rest = bytes.subarray(await direct.write(bytes, position))
    await writeFile(file, rest, position + bytes.length - rest.length)
    position += bytes.length
  }
  const flush = async () => {
    const waiting = block?.subarray(0, filled)
    block = undefined
    filled = 0
    if (waiting !== undefined) await put(waiting)
  }
  const fill = async (bytes: Uint8Array) => {
    // `Buffer.copy` takes a sixth of the time of `TypedArray.set`, which is slow for unaligned memory.
    const from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let offset = 0; offset < from.length;) {
      block ??= alignedBytes(blockSize)
      const count = from.copy(block, filled, offset)
      filled += count
      offset += count
      if (filled < blockSize) continue
      await put(block)
      filled = 0
    }
  }
  return {
    async write(chunk) {
      if (block !== undefined) {
        await fill(chunk)
        return
      }
      const behind = position % alignment
      if (behind === 0 || !direct.accepts(chunk.length)) {
        await put(chunk)
        return
      }
      await put(chunk.subarray(0, alignment - behind))
      await fill(chunk.subarray(alignment - behind))
    },
    flush,
    position: () => position,
  }
}
