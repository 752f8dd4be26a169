import { describe, expect, test } from 'vitest'
import { ServiceError } from '../errors.ts'
import { effectiveTTL, expiryAfter, extendedExpiry, hasEnded } from './lifetime.ts'

const month = 2_592_000

describe('the time to live of a new upload', () => {
  test.each([
    ['0 is the default', 0, { defaultTTL: 100, maxTTL: month }, 100],
    ['the requested value, up to the maximum', month, { defaultTTL: 100, maxTTL: month }, month],
    ['one more than the maximum is capped', month + 1, { defaultTTL: 100, maxTTL: month }, month],
    ['the default is capped too', 0, { defaultTTL: month, maxTTL: 60 }, 60],
    ['an unlimited default is capped too', 0, { defaultTTL: -1, maxTTL: 60 }, 60],
    ['without a maximum, unlimited is allowed', -7, { defaultTTL: 100, maxTTL: 0 }, -1],
    ['without a maximum, anything is allowed', month * 100, { defaultTTL: 100, maxTTL: -1 }, month * 100],
  ])('%s', (_rule, requested, limits, expected) => {
    expect(effectiveTTL(requested, limits, 'enabled')).toBe(expected)
  })

  test('unlimited is rejected under a maximum', () => {
    expect(() => effectiveTTL(-1, { defaultTTL: 100, maxTTL: month }, 'enabled')).toThrow(ServiceError)
  })

  test('the default applies when requests cannot set it', () => {
    for (const requested of [-1, 0, 5, month * 2]) {
      expect(effectiveTTL(requested, { defaultTTL: 100, maxTTL: month }, 'disabled')).toBe(100)
    }
    expect(effectiveTTL(-1, { defaultTTL: -1, maxTTL: month }, 'disabled')).toBe(month)
  })
})

test('an upload ends at its expiry, not before', () => {
  expect(hasEnded({ deletedAt: null, expireAt: 1000 }, 999)).toBe(false)
  expect(hasEnded({ deletedAt: null, expireAt: 1000 }, 1000)).toBe(true)
  expect(hasEnded({ deletedAt: null, expireAt: null }, Number.MAX_SAFE_INTEGER)).toBe(false)
  expect(hasEnded({ deletedAt: 1, expireAt: null }, 2)).toBe(true)
})

test('the expiry is a date of RFC 3339 for any time to live', () => {
  expect(new Date(expiryAfter(Date.UTC(2026, 0), Number.MAX_SAFE_INTEGER) ?? NaN).toISOString()).toBe(
    '9999-12-31T23:59:59.999Z',
  )
  expect(expiryAfter(5, -1)).toBeNull()
  expect([expiryAfter(5, 2), expiryAfter(5, 0)]).toEqual([2005, 5])
})

test('a download moves the end by a minute or a tenth of the life, or not at all', () => {
  const upload = { extendTtl: 1, ttl: 6_000, expireAt: 6_000_000 } as const
  expect(extendedExpiry(upload, 59_999)).toBeNull()
  expect(extendedExpiry(upload, 60_000)).toBe(6_060_000)
  const short = { ...upload, ttl: 30, expireAt: 30_000 }
  expect(extendedExpiry(short, 2_999)).toBeNull()
  expect(extendedExpiry(short, 3_000)).toBe(33_000)
  expect(extendedExpiry({ ...upload, ttl: 1, expireAt: 1_000 }, 100)).toBe(1_100)
  expect(extendedExpiry({ ...upload, extendTtl: 0 }, 1_000_000)).toBeNull()
  expect(extendedExpiry({ ...upload, expireAt: null }, 1_000_000)).toBeNull()
})
