import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDuration, parseDuration } from './durations.ts'

describe('parseDuration', () => {
  test.each([
    ['0', 0],
    ['3600', 3600],
    ['0s', 0],
    ['90s', 90],
    ['5m', 300],
    ['12h', 43_200],
    ['30d', 2_592_000],
    ['1w', 604_800],
    ['1d12h', 129_600],
    ['1w2d3h4m5s', 788_645],
    ['1D12H', 129_600],
    [' 1d 12h ', 129_600],
    ['1 d', 86_400],
    ['90m', 5400],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740991s', Number.MAX_SAFE_INTEGER],
    ['150119987579016m31s', Number.MAX_SAFE_INTEGER],
    ['unlimited', -1],
    ['Unlimited', -1],
    ['-1', -1],
    ['-7', -1],
    ['-3d', -1],
    ['-0', 0],
  ])('reads %j as %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  test.each([
    '',
    ' ',
    '-',
    '--1',
    '+1',
    '1.5h',
    '1e3',
    '0x10',
    'd',
    '5 minutes',
    '5min',
    '1y',
    '12h1d',
    '1d1d',
    '1d12',
    '12 30m',
    '1d,12h',
    'NaN',
    'never',
    '9007199254740992',
    '150119987579016m32s',
    '99999999999999999999',
    '9999999999999999w',
    '٣d',
    '1d\u00002h',
  ])('rejects %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  test('returns a safe integer of at least -1, or undefined, for any text', () => {
    const tokens = fc.constantFrom('-', '1', '9', '0', '.', ' ', 'w', 'd', 'h', 'm', 's', 'S', 'unlimited')
    const hostile = fc.oneof(
      fc.string(),
      fc.array(tokens, { maxLength: 24 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const seconds = parseDuration(text)
        return seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= -1)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('formatDuration', () => {
  test.each([
    [-1, 'unlimited'],
    [0, '0s'],
    [59, '59s'],
    [60, '1m'],
    [90, '1m30s'],
    [3600, '1h'],
    [86_399, '23h59m59s'],
    [86_400, '1d'],
    [129_600, '1d12h'],
    [604_800, '7d'],
    [2_592_000, '30d'],
  ])('writes %d seconds as %j', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })

  test('is the inverse of parseDuration', () => {
    const commonDurations = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeNat(), commonDurations, fc.constant(-1)), (seconds) => {
        expect(parseDuration(formatDuration(seconds))).toBe(seconds)
      }),
      { numRuns: 2000 },
    )
  })
})
