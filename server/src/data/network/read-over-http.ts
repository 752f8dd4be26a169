import { StoreUnavailableError, type ByteRange } from '../backend/backend.ts'
import { isEmpty, noBytes } from './byte-range.ts'
import type { StoreAnswer } from './client.ts'
import { persist, type RetryPolicy } from './retry-policy.ts'
import { resumedRead } from './resumed-read.ts'

/** The store sent other bytes than those that were asked for. */
export class WrongRangeError extends Error {
  override readonly name = 'WrongRangeError'
}

/**
 * What tells one version of an object from others, of the header of an answer that has it with every object. An answer
 * without it comes from something else, such as a proxy that has a page for when the store is away.
 * @throws StoreUnavailableError
 */
export function versionIn(answer: StoreAnswer, header: string): string {
  const version = answer.headers[header]
  if (typeof version === 'string') return version
  answer.cut()
  throw new StoreUnavailableError('something else answered in the place of the store')
}

export interface HttpReadOptions {
  /**
   * Asks for an object, or for bytes of it, always of the same one. The status is 200, 206, or 416 for what has no
   * such bytes.
   */
  readonly ask: (range?: ByteRange) => Promise<StoreAnswer>
  /** What is wanted; an empty range ends before it starts. */
  readonly range: ByteRange | undefined
  readonly patience: RetryPolicy
}

/** The bytes of an object, asked for with patience at the beginning and after each break. @throws WrongRangeError */
export async function readOverHttp({
  ask,
  range,
  patience,
}: HttpReadOptions): Promise<AsyncIterable<Uint8Array>> {
  const first = await persist(() => ask(isEmpty(range) ? undefined : range), patience)
  if (first.status === 416 || isEmpty(range)) {
    first.cut()
    return noBytes
  }
  const start = range?.start ?? 0
  const length = bytesFrom(start, first)
  return resumedRead(first, {
    length,
    async reopen(from) {
      const rest = { start: start + from, end: start + length - 1 }
      const answer = await persist(() => ask(rest), patience)
      bytesFrom(rest.start, answer)
      return answer
    },
  })
}

/** How many bytes an answer carries, which has to begin with one of them. */
function bytesFrom(start: number, answer: StoreAnswer): number {
  const extent = extentOf(answer)
  if (extent.start === start) return extent.end - start
  answer.cut()
  throw new WrongRangeError(`byte ${String(start)} was asked for, and another came`)
}

/** Which bytes an answer carries; the end is excluded. */
function extentOf({ status, headers }: StoreAnswer): { start: number; end: number } {
  const range = /^bytes (\d+)-(\d+)\//.exec(headers['content-range'] ?? '')
  if (status === 206 && range !== null) return { start: Number(range[1]), end: Number(range[2]) + 1 }
  return { start: 0, end: Number(headers['content-length'] ?? 0) }
}
