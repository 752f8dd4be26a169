import { expect, test } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { isTransient, retryDelay } from './retry-policy.ts'

const cut = new ApiError(0, 'network', 'cut')
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

test('Retry-After overrides the delay', () => {
  const busy = new ApiError(429, 'too_many_attempts', 'wait', { retryAfter: 90 })
  expect(retryDelay(busy, 1, whole)).toBe(90_000)
})

test.for([
  [0, 'network', true],
  [0, 'not_encrypted', false],
  [503, 'unavailable', true],
  [503, 'not_ready', true],
  [429, 'too_many_attempts', true],
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
