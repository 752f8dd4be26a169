import type { Batch } from '../engine/batch.ts'
import { peekable, type ByteReader } from '../base/byte-source.ts'
import { EncryptionError } from '../base/error.ts'

/** A range of bytes, without the one at `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Throws for a range outside of a content of this size. */
export function requireRange({ start, end }: ByteRange, size: number): void {
  if (start >= 0 && start <= end && end <= size) return
  throw new RangeError(`there are no bytes ${String(start)} to ${String(end)} in ${String(size)}`)
}

/**
 * Ends after the requested bytes.
 * @throws EncryptionError `size_mismatch` for fewer or more bytes
 */
export function exactly(reader: ByteReader, length: number): ByteReader {
  let missing = length
  const count = (bytes: number) => {
    missing -= bytes
    if (missing < 0 || (bytes === 0 && missing > 0)) {
      throw new EncryptionError('size_mismatch', 'other bytes came than were asked for')
    }
  }
  return peekable({
    next: async () => {
      const piece = await reader.pull()
      count(piece?.length ?? 0)
      return piece
    },
    fill: async (into) => {
      const filled = await reader.fill(into)
      count(filled)
      return filled
    },
    stop: reader.stop,
  })
}

/** Batches of consecutive chunks, by their numbers in the file. */
export async function* shifted(
  batches: AsyncGenerator<Batch>,
  by: number,
  isEnd: boolean,
): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    yield { ...batch, first: batch.first + by, last: batch.last && isEnd }
  }
}
