import { MissingDataError, StoreUnavailableError, type ByteRange } from '../backend.ts'
import { persist, type Patience } from './patience.ts'
import type { StoreAnswer } from './client.ts'
import { mayPass } from './refusal.ts'

/** The store sent other bytes than those that were asked for. */
export class WrongRangeError extends Error {
  override readonly name = 'WrongRangeError'
}

/** Asks for bytes of the very object that the first answer came from, up to its end when there is none. */
export type Reopen = (range: ByteRange) => Promise<StoreAnswer>

export interface ResumedBodyOptions {
  /** The first byte that was asked for. */
  readonly start: number
  readonly reopen: Reopen
  readonly patience: Patience
}

/** Bytes after which a connection that breaks once more counts as a new trouble. */
const progress = 1024 * 1024

/**
 * The body of an answer, to be read once. A connection that breaks before its end is made again from there, with
 * patience. `return` closes it, even before the first chunk was asked for.
 * @param first with a status of 200 or 206
 * @throws WrongRangeError
 */
export function resumedBody(
  first: StoreAnswer,
  { start, reopen, patience }: ResumedBodyOptions,
): AsyncIterable<Uint8Array> {
  let answer = first
  const { start: begin, end } = extentOf(first)
  if (begin !== start) {
    first.cut()
    throw wrongRange(start)
  }
  let position = start
  let breaks = 0
  let unbroken = 0
  let open = true

  const resume = async () => {
    answer = await persist(async () => {
      const next = await reopen({ start: position, end: end - 1 })
      if (extentOf(next).start === position) return next
      next.cut()
      throw wrongRange(position)
    }, patience)
    if (!open) answer.cut()
  }
  const readOn = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      try {
        const chunk = await answer.read()
        if (chunk !== undefined || position >= end) return chunk
        throw new StoreUnavailableError(`a body ended ${String(end - position)} bytes too early`)
      } catch (error) {
        if (unbroken >= progress) breaks = 0
        breaks += 1
        unbroken = 0
        if (!open || breaks >= patience.tries || !mayPass(error)) throw error
        await resume()
      }
    }
  }
  const finish = (): IteratorResult<Uint8Array> => {
    if (open) answer.cut()
    open = false
    return { done: true, value: undefined }
  }
  const chunks: AsyncIterator<Uint8Array> = {
    async next() {
      if (!open) return finish()
      try {
        const chunk = await readOn()
        if (chunk === undefined) return finish()
        position += chunk.length
        unbroken += chunk.length
        return { done: false, value: chunk }
      } catch (error) {
        finish()
        throw error
      }
    },
    return: () => Promise.resolve(finish()),
  }
  return { [Symbol.asyncIterator]: () => chunks }
}

/** Which bytes an answer carries; the end is excluded. */
function extentOf({ status, headers }: StoreAnswer): { start: number; end: number } {
  const range = /^bytes (\d+)-(\d+)\//.exec(headers['content-range'] ?? '')
  if (status === 206 && range !== null) return { start: Number(range[1]), end: Number(range[2]) + 1 }
  return { start: 0, end: Number(headers['content-length'] ?? 0) }
}

const wrongRange = (start: number) =>
  new WrongRangeError(`byte ${String(start)} was asked for, and another came`)

/** Of a `Range` header. */
export const rangeHeader = ({ start, end }: ByteRange) => `bytes=${String(start)}-${String(end)}`

export const missing = (key: string) => new MissingDataError(`nothing is stored under ${key}`)

export const isEmpty = (range: ByteRange | undefined) => range !== undefined && range.end < range.start

/** Of an empty range, and of one that begins behind the end. */
export const noBytes: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}
