import { describe, expect, test } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { isTransient, retryDelay, waitBeforeRetry, type RetryPolicy } from './retry-policy.ts'

const cut = new ApiError(0, 'network', 'cut')
const gone = new ApiError(404, 'upload_not_found', 'gone')
const whole = () => 1

test('delays double up to half a minute', () => {
  expect([1, 2, 3, 6, 7, 20].map((failures) => retryDelay(cut, failures, whole))).toEqual([
    500, 1000, 2000, 16_000, 30_000, 30_000,
  ])
})

test('half of a delay is random', () => {
  expect(retryDelay(cut, 3, () => 0)).toBe(1000)
  expect(retryDelay(cut, 3, () => 0.5)).toBe(1500)
})

test('Retry-After overrides a shorter delay, and no longer one', () => {
  const busy = (retryAfter: number) => new ApiError(429, 'too_many_attempts', 'wait', { retryAfter })
  expect(retryDelay(busy(90), 1, whole)).toBe(90_000)
  expect(retryDelay(busy(0), 3, whole)).toBe(2000)
})

test.for([
  [0, 'network', true],
  [0, 'not_encrypted', false],
  [503, 'unavailable', true],
  [503, 'not_ready', true],
  [429, 'too_many_attempts', true],
  [429, 'too_many_connections', true],
  [429, 'budget_reached', false],
  [502, 'stream_broken', false],
  [404, 'upload_not_found', false],
  [500, 'internal_error', false],
  [502, 'http_502', true],
  [500, 'http_500', true],
  [499, 'http_499', false],
  [408, 'http_408', true],
  [429, 'http_429', true],
  [403, 'http_403', false],
] as const)('the error %d %s is transient: %s', ([status, code, expected]) => {
  expect(isTransient(new ApiError(status, code, code))).toBe(expected)
})

test('an error that is not of a request is not transient', () => {
  expect(isTransient(new TypeError('x is not a function'))).toBe(false)
})

describe('before a retry', () => {
  /** Waits by a policy, and returns its delays and those that it reported. */
  async function waited(failures: number, error: unknown, policy: Partial<RetryPolicy> = {}) {
    const waits: number[] = []
    const reported: number[] = []
    await waitBeforeRetry(
      {
        retries: 3,
        random: whole,
        wait: (ms) => {
          waits.push(ms)
          return Promise.resolve()
        },
        onInterruption: (_error, delay) => reported.push(delay),
        ...policy,
      },
      failures,
      error,
    )
    return { waits, reported }
  }

  test('the policy reports the delay and waits for it', async () => {
    expect(await waited(3, cut)).toEqual({ waits: [2000], reported: [2000] })
  })

  test('too many failures in a row end it with the error', async () => {
    await expect(waited(4, cut)).rejects.toBe(cut)
  })

  test('an error that would return ends it, unless the policy allows the error', async () => {
    await expect(waited(1, gone)).rejects.toBe(gone)
    expect(await waited(1, gone, { isRetryable: () => true })).toEqual({ waits: [500], reported: [500] })
  })

  test('an abort ends it with its reason', async () => {
    const reason = new Error('enough')
    await expect(waited(1, cut, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
