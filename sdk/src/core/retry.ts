import { ApiError } from './api-error.ts'

/** Between two tries, in milliseconds: doubled each time. */
const firstDelay = 500
const maxDelay = 30_000

/** Error codes of our server that are transient for every request. */
const transientCodes: ReadonlySet<string> = new Set([
  'network',
  'unavailable',
  'not_ready',
  'too_many_attempts',
])

/** Whether the same may go well a moment later. Codes of our own are the last word; others come from something between. */
export function isTransient({ code, status }: ApiError): boolean {
  if (transientCodes.has(code)) return true
  return code.startsWith('http_') && (status >= 500 || status === 408 || status === 429)
}

/**
 * Milliseconds before the next try: what the server asks for, or longer and longer. Half of it is left to chance, so that
 * those whom a server lost at once do not come back at once.
 * @param failures in a row, this one included
 * @param random from 0 up to 1
 */
export function retryDelay(error: unknown, failures: number, random: () => number): number {
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined
  if (retryAfter !== undefined) return retryAfter * 1000
  return Math.min(maxDelay, firstDelay * 2 ** (failures - 1)) * (0.5 + random() / 2)
}
