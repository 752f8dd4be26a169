import { ApiError } from '../errors/api-error.ts'

/** Milliseconds between attempts; they double each time. */
const firstDelay = 500
const maxDelay = 30_000

/** Error codes of our server that are transient for every request. */
const transientCodes: ReadonlySet<string> = new Set([
  'network',
  'unavailable',
  'not_ready',
  'too_many_attempts',
])

/** Whether a retry may succeed. The server's codes decide; without one, the status of a proxy does. */
export function isTransient({ code, status }: ApiError): boolean {
  if (transientCodes.has(code)) return true
  return code.startsWith('http_') && (status >= 500 || status === 408 || status === 429)
}

/**
 * Milliseconds before the next attempt: the server's `Retry-After`, or an exponential backoff. Half of it is random, so that
 * the clients of a restarted server do not all return at the same moment.
 * @param failures in a row, this one included
 * @param random from 0 up to 1
 */
export function retryDelay(error: unknown, failures: number, random: () => number): number {
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined
  if (retryAfter !== undefined) return retryAfter * 1000
  return Math.min(maxDelay, firstDelay * 2 ** (failures - 1)) * (0.5 + random() / 2)
}
