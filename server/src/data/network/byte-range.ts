import type { ByteRange } from '../backend/backend.ts'

/** Of a `Range` header. */
export const rangeHeader = ({ start, end }: ByteRange) => `bytes=${String(start)}-${String(end)}`

export const isEmpty = (range: ByteRange | undefined) => range !== undefined && range.end < range.start

/** Of an empty range, and of one that begins behind the end. */
export const noBytes: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}
