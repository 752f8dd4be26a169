import { alignedBytes, alignment, type DirectWrites } from './direct-writes.ts'
import { writeFile } from './file-calls.ts'

/** Writes chunks one behind the other, from anywhere in a file on. */
export interface SequentialWriter {
  readonly write: (chunk: Uint8Array) => Promise<void>
  /** Writes what still waits to fill a block. */
  readonly flush: () => Promise<void>
  /** Bytes of the file up to here are written, but those that wait. */
  readonly position: () => number
}

const blockSize = 1024 * 1024

/**
 * A file that is gone on with rarely ends where a block of the disk does. Chunks that would be written past the page
 * cache are then copied into blocks that begin where such writes may: a copy in memory is cheap beside the way through
 * the page cache. It lasts until the next flush at such a place.
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
    // Its `copy` takes a sixth of the time of `set`, which is slow from and to where no word of the memory begins.
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
      if (behind === 0 || !direct.takes(chunk.length)) {
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
