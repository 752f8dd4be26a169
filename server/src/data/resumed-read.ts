import type { Readable } from 'node:stream'
import { StoreUnavailableError } from './backend.ts'

export interface ResumedReadOptions {
  /** Bytes that are to come in all. */
  readonly length: number
  /** Opens the rest, from a byte on (counted from the first that is to come). Its rejection ends the reading. */
  readonly reopen: (from: number) => Promise<Readable>
  /** Milliseconds without a byte, though one is waited for, after which a connection counts as broken. */
  readonly stall: number
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
  first: Readable,
  { length, reopen, stall }: ResumedReadOptions,
): AsyncIterable<Uint8Array> {
  let position = 0
  let breaks = 0
  let progress = 0
  let over = false
  let body = watched(first)
  let chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  // The connection is cut: what is still waited for on it fails.
  const giveUp = () => {
    body.destroy(new StoreUnavailableError('the store has sent nothing for too long'))
  }

  const finish = (): IteratorResult<Uint8Array> => {
    over = true
    body.destroy()
    return { done: true, value: undefined }
  }
  const nextChunk = async (): Promise<Uint8Array> => {
    const timer = setTimeout(giveUp, stall)
    try {
      const result = await chunks.next()
      if (result.done === true) throw new Error('the store ended before the last byte')
      return result.value
    } finally {
      clearTimeout(timer)
    }
  }
  const goOn = async (cause: unknown) => {
    body.destroy()
    breaks += 1
    if (breaks > mostBreaks)
      throw new StoreUnavailableError('the store breaks off again and again', { cause })
    body = watched(await reopen(position))
    chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
    // Whoever left meanwhile could not cut this connection yet.
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
          if (isOver()) return finish()
          await goOn(error).catch((failure: unknown) => {
            finish()
            throw failure
          })
        }
      }
    },
    return: () => Promise.resolve(finish()),
  }
  const isOver = () => over
  return { [Symbol.asyncIterator]: () => iterator }
}

/** An error that nobody waits for, such as after leaving early, must not stop the process. */
const watched = (body: Readable) => body.on('error', () => undefined)
