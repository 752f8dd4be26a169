import { setTimeout as wait } from 'node:timers/promises'
import { isTimeout } from './client.ts'
import { isRetryable } from './store-error.ts'

/** How many times, and after which delay, a request is retried. */
export interface RetryPolicy {
  /** The number of attempts, the first included. */
  readonly tries: number
  /** Delay before the second attempt; doubled before each further one. */
  readonly firstWaitMs: number
}

/** Outages of up to six seconds are retried; longer ones fail before most clients time out. */
export const defaultRetryPolicy: RetryPolicy = { tries: 6, firstWaitMs: 200 }

/** The maximum number of attempts that time out: each takes as long as the idle timeout. */
const maxTimeouts = 3

/** For requests that can be repeated later. */
export const fewRetries: RetryPolicy = { tries: 2, firstWaitMs: 100 }

/**
 * Runs idempotent work, and retries it while the store is unavailable.
 * @param work receives the number of the attempt, counted from 1
 * @throws the last error, or the reason of the signal
 */
export async function withRetries<Result>(
  work: (attempt: number) => Promise<Result>,
  { tries, firstWaitMs }: RetryPolicy,
  signal?: AbortSignal,
): Promise<Result> {
  let timeouts = 0
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      return await work(attempt)
    } catch (error) {
      if (isTimeout(error)) timeouts += 1
      if (!isRetryable(error) || attempt >= tries || timeouts >= maxTimeouts) throw error
      await pause(firstWaitMs * 2 ** (attempt - 1), signal)
    }
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
