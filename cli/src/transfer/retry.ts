import { ApiError } from '@svc/sdk'
import type { Clock } from '../core/program.ts'

/** Whether a retry may succeed: without a response, or after one that asks to retry later. */
export function isTransient(error: unknown): error is ApiError {
  return error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status)
}

const firstPauseMs = 250
const longestPauseMs = 15_000

/**
 * How long to wait before an attempt.
 * @param failed attempts since something went well
 */
export function retryDelay(failed: number, error: unknown): number {
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
  return Math.min(Math.max(asked, firstPauseMs * 2 ** (failed - 1)), Math.max(longestPauseMs, asked))
}

export interface RetryPolicy {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How many attempts may fail one after the other. */
  readonly retries: number
  /** Called before each pause. */
  readonly onRetry: (error: Error, seconds: number) => void
}

/**
 * Waits before the next attempt.
 * @param failed attempts since something went well, this one included
 * @throws the error when it will not pass, or there were too many
 */
export async function waitBeforeRetry(
  { clock, signal, retries, onRetry }: RetryPolicy,
  failed: number,
  error: unknown,
): Promise<void> {
  signal.throwIfAborted()
  if (!isTransient(error) || failed > retries) throw error
  const ms = retryDelay(failed, error)
  onRetry(error, Math.ceil(ms / 1000))
  await clock.sleep(ms, signal)
}
