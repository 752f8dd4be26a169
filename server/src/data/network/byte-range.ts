import type { ByteRange } from '../backend/backend.ts'

/** The value of a `Range` header. */
export const rangeHeader = ({ start, end }: ByteRange) => `bytes=${String(start)}-${String(end)}`

export const isEmpty = (range: ByteRange | undefined) => range !== undefined && range.end < range.start

/** The content of an empty range, and of one after the end. */
export const noBytes: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}
