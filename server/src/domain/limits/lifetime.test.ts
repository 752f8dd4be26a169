import { describe, expect, test } from 'vitest'
import { ServiceError } from '../errors.ts'
import { effectiveTTL, endOf, extendedEnd, isOver } from './lifetime.ts'

const month = 2_592_000

describe('the time to live of a new upload', () => {
  test.each([
    ['0 is the default', 0, { defaultTTL: 100, maxTTL: month }, 100],
    ['what is asked for, up to the maximum', month, { defaultTTL: 100, maxTTL: month }, month],
    ['one more than the maximum is capped', month + 1, { defaultTTL: 100, maxTTL: month }, month],
    ['the default is capped too', 0, { defaultTTL: month, maxTTL: 60 }, 60],
    ['a default for ever is capped too', 0, { defaultTTL: -1, maxTTL: 60 }, 60],
    ['without a maximum, for ever is allowed', -7, { defaultTTL: 100, maxTTL: 0 }, -1],
    ['without a maximum, anything is allowed', month * 100, { defaultTTL: 100, maxTTL: -1 }, month * 100],
  ])('%s', (_rule, requested, limits, expected) => {
    expect(effectiveTTL(requested, limits, 'enabled')).toBe(expected)
  })

  test('for ever is refused under a maximum', () => {
    expect(() => effectiveTTL(-1, { defaultTTL: 100, maxTTL: month }, 'enabled')).toThrow(ServiceError)
  })

  test('where it cannot be set it is the default, whatever is asked', () => {
    for (const requested of [-1, 0, 5, month * 2]) {
      expect(effectiveTTL(requested, { defaultTTL: 100, maxTTL: month }, 'disabled')).toBe(100)
    }
  })
})

test('an upload is over at its end, not before', () => {
  expect(isOver({ deletedAt: null, expireAt: 1000 }, 999)).toBe(false)
  expect(isOver({ deletedAt: null, expireAt: 1000 }, 1000)).toBe(true)
  expect(isOver({ deletedAt: null, expireAt: null }, Number.MAX_SAFE_INTEGER)).toBe(false)
  expect(isOver({ deletedAt: 1, expireAt: null }, 2)).toBe(true)
})

test('the end stays a date of RFC 3339, however long the time to live is', () => {
  expect(new Date(endOf(Date.UTC(2026, 0), Number.MAX_SAFE_INTEGER) ?? NaN).toISOString()).toBe(
    '9999-12-31T23:59:59.999Z',
  )
  expect(endOf(5, -1)).toBeNull()
  expect(endOf(5, 2)).toBe(2005)
})

test('a download moves the end by a minute or a tenth of the life, or not at all', () => {
  const upload = { extendTtl: 1, ttl: 6_000, expireAt: 6_000_000 } as const
  expect(extendedEnd(upload, 59_999)).toBeNull()
  expect(extendedEnd(upload, 60_000)).toBe(6_060_000)
  const short = { ...upload, ttl: 30, expireAt: 30_000 }
  expect(extendedEnd(short, 2_999)).toBeNull()
  expect(extendedEnd(short, 3_000)).toBe(33_000)
  expect(extendedEnd({ ...upload, ttl: 1, expireAt: 1_000 }, 100)).toBe(1_100)
  expect(extendedEnd({ ...upload, extendTtl: 0 }, 1_000_000)).toBeNull()
  expect(extendedEnd({ ...upload, expireAt: null }, 1_000_000)).toBeNull()
})
