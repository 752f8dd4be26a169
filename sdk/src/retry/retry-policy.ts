import { ApiError } from '../errors/api-error.ts'
import { wait as waitFor, type Wait } from './wait.ts'

/** Milliseconds between attempts; they double each time. */
const firstDelay = 500
const maxDelay = 30_000

/** Error codes of our server that are transient for every request. */
const transientCodes: ReadonlySet<string> = new Set([
  'network',
  'unavailable',
  'not_ready',
  'too_many_attempts',
  'too_many_connections',
])

/** Whether a retry may succeed. The server's codes decide; without one, the status of a proxy does. */
export function isTransient(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  const { code, status } = error
  if (transientCodes.has(code)) return true
  return code.startsWith('http_') && (status >= 500 || status === 408 || status === 429)
}

/**
 * Milliseconds before the next attempt: an exponential backoff, or the server's `Retry-After` if that is longer. Half of the
 * backoff is random, so that the clients of a restarted server do not all return at the same moment.
 * @param failures consecutive failures, including this one
 * @param random number from 0 up to 1
 */
export function retryDelay(error: unknown, failures: number, random: () => number): number {
  const backoff = Math.min(maxDelay, firstDelay * 2 ** (failures - 1)) * (0.5 + random() / 2)
  const retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) : 0
  return Math.max(retryAfter * 1000, backoff)
}

/** When and how many times a failed operation is tried again. */
export interface RetryPolicy {
  /** How many attempts may fail in a row. */
  readonly retries: number
  /** Whether the operation may be repeated after an error; by default after a transient one. */
  readonly isRetryable?: ((error: unknown) => boolean) | undefined
  /**
   * Called after each interruption, before the next attempt.
   * @param delay until then, in milliseconds
   */
  readonly onInterruption?: ((error: unknown, delay: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Waits between attempts. */
  readonly wait?: Wait | undefined
  /** The random part of the delay between attempts: from 0, below 1. */
  readonly random?: (() => number) | undefined
}

/**
 * Waits before the next attempt.
 * @param failures consecutive failures, including this one
 * @throws the error when there is none; the signal's reason
 */
export async function waitBeforeRetry(
  {
    retries,
    isRetryable = isTransient,
    onInterruption,
    signal,
    wait = waitFor,
    random = Math.random,
  }: RetryPolicy,
  failures: number,
  error: unknown,
): Promise<void> {
  signal?.throwIfAborted()
  if (failures > retries || !isRetryable(error)) throw error
  const delay = retryDelay(error, failures, random)
  onInterruption?.(error, delay)
  await wait(delay, signal)
}

/**
 * Repeats an action that may be repeated as it is, until it succeeds.
 * @param action receives the number of earlier failures
 * @throws the error of the last attempt, as it is; the signal's reason
 */
export async function withRetries<Result>(
  policy: RetryPolicy,
  action: (failures: number) => Promise<Result>,
): Promise<Result> {
  for (let failures = 0; ;) {
    try {
      return await action(failures)
    } catch (error) {
      failures += 1
      await waitBeforeRetry(policy, failures, error)
    }
  }
}
