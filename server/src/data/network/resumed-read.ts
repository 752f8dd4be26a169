import { StoreUnavailableError } from '../backend/backend.ts'
import type { StoreBody } from './body.ts'

export interface ResumedReadOptions {
  /** Bytes that are to come in all. */
  readonly length: number
  /** Opens the rest, from a byte on (counted from the first that is to come). Its rejection ends the reading. */
  readonly reopen: (from: number) => Promise<StoreBody>
}

/** So often a reading goes on in vain. Each mebibyte that came gives it as many tries again. */
const mostBreaks = 5
const progressBytes = 1024 * 1024

/**
 * The bytes of a connection to a store, and of those that take its place when it breaks. To be read once. Whoever
 * leaves early, even before the first chunk, cuts the connection.
 * @throws StoreUnavailableError when it breaks again and again
 */
export function resumedRead(
  first: StoreBody,
  { length, reopen }: ResumedReadOptions,
): AsyncIterable<Uint8Array> {
  let position = 0
  let breaks = 0
  let progress = 0
  let over = false
  let body = first

  const leave = (): IteratorResult<Uint8Array> => {
    over = true
    body.cut()
    return { done: true, value: undefined }
  }
  const finish = async (): Promise<IteratorResult<Uint8Array>> => {
    // A body that was read to its very end leaves its connection to the next request.
    if (!over) await body.read().catch(() => undefined)
    return leave()
  }
  const nextChunk = async (): Promise<Uint8Array> => {
    const chunk = await body.read()
    if (chunk === undefined) throw new StoreUnavailableError('the store ended before the last byte')
    return chunk
  }
  const goOn = async (cause: unknown) => {
    body.cut()
    breaks += 1
    if (breaks > mostBreaks)
      throw new StoreUnavailableError('the store breaks off again and again', { cause })
    body = await reopen(position)
    // Whoever left meanwhile could not cut this connection yet.
    if (over) body.cut()
  }
  const count = (bytes: number) => {
    position += bytes
    progress += bytes
    if (progress < progressBytes) return
    progress = 0
    breaks = 0
  }

  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      for (;;) {
        if (over || position >= length) return finish()
        try {
          const chunk = await nextChunk()
          const value = chunk.subarray(0, length - position)
          count(value.length)
          return { done: false, value }
        } catch (error) {
          if (isOver()) return leave()
          await goOn(error).catch((failure: unknown) => {
            leave()
            throw failure
          })
        }
      }
    },
    return: () => Promise.resolve(leave()),
  }
  const isOver = () => over
  return { [Symbol.asyncIterator]: () => iterator }
}
