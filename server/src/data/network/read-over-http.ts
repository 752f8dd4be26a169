import { StoreUnavailableError, type ByteRange } from '../backend/backend.ts'
import { isEmpty, noBytes } from './byte-range.ts'
import type { StoreResponse } from './client.ts'
import { withRetries, type RetryPolicy } from './retry-policy.ts'
import { resumedRead } from './resumed-read.ts'

/** The store sent another range than the requested one. */
export class WrongRangeError extends Error {
  override readonly name = 'WrongRangeError'
}

/**
 * The version of an object, from a header that every response of the store has. A response without it comes from another
 * server, such as a proxy with an error page.
 * @throws StoreUnavailableError
 */
export function versionIn(response: StoreResponse, header: string): string {
  const version = response.headers[header]
  if (typeof version === 'string') return version
  response.destroy()
  throw new StoreUnavailableError('another program responded at the address of the store')
}

export interface HttpReadOptions {
  /**
   * Requests an object, or a range of it, always of the same version. The status is 200, 206, or 416 for a range outside
   * of the object.
   */
  readonly request: (range?: ByteRange) => Promise<StoreResponse>
  /** The range to read; an empty range ends before it starts. */
  readonly range: ByteRange | undefined
  readonly retryPolicy: RetryPolicy
}

/**
 * The bytes of an object. The first request, and those after each broken connection, are retried.
 * @throws WrongRangeError
 */
export async function readOverHttp({
  request,
  range,
  retryPolicy,
}: HttpReadOptions): Promise<AsyncIterable<Uint8Array>> {
  const first = await withRetries(() => request(isEmpty(range) ? undefined : range), retryPolicy)
  if (first.status === 416 || isEmpty(range)) {
    first.destroy()
    return noBytes
  }
  const start = range?.start ?? 0
  const length = bytesFrom(start, first)
  return resumedRead(first, {
    length,
    async reopen(from) {
      const rest = { start: start + from, end: start + length - 1 }
      const response = await withRetries(() => request(rest), retryPolicy)
      bytesFrom(rest.start, response)
      return response
    },
  })
}

/** The number of bytes of a response, which must begin at `start`. */
function bytesFrom(start: number, response: StoreResponse): number {
  const extent = extentOf(response)
  if (extent.start === start) return extent.end - start
  response.destroy()
  throw new WrongRangeError(`the store did not send the requested byte ${String(start)}`)
}

/** The range of bytes of a response; the end is excluded. */
function extentOf({ status, headers }: StoreResponse): { start: number; end: number } {
  const range = /^bytes (\d+)-(\d+)\//.exec(headers['content-range'] ?? '')
  if (status === 206 && range !== null) return { start: Number(range[1]), end: Number(range[2]) + 1 }
  return { start: 0, end: Number(headers['content-length'] ?? 0) }
}
