import { StoreUnavailableError } from '../backend/backend.ts'
import type { StoreBody } from './body.ts'

export interface ResumedReadOptions {
  /** Total bytes. */
  readonly length: number
  /** Requests the rest, from an offset within `length`. Its rejection ends the read. */
  readonly reopen: (from: number) => Promise<StoreBody>
}

/** The maximum number of failures without progress. Each mebibyte that arrives resets the count. */
const maxBreaks = 5
const progressBytes = 1024 * 1024

/**
 * The bytes of a response, continued over new connections when one breaks. To be read once. A reader that stops early, even
 * before the first chunk, destroys the connection.
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
    body.destroy()
    return { done: true, value: undefined }
  }
  const finish = async (): Promise<IteratorResult<Uint8Array>> => {
    // The connection can be reused only if its body was read to the end.
    if (!over) await body.read().catch(() => undefined)
    return leave()
  }
  const nextChunk = async (): Promise<Uint8Array> => {
    const chunk = await body.read()
    if (chunk === undefined) throw new StoreUnavailableError('the store ended before the last byte')
    return chunk
  }
  const reopenAfter = async (cause: unknown) => {
    body.destroy()
    breaks += 1
    if (breaks > maxBreaks)
      throw new StoreUnavailableError('the connection to the store broke repeatedly', { cause })
    body = await reopen(position)
    // A reader that stopped meanwhile could not destroy this connection.
    if (over) body.destroy()
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
          await reopenAfter(error).catch((failure: unknown) => {
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
