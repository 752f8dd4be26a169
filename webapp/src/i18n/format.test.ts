import { describe, expect, test } from 'vitest'
import {
  formatDuration,
  formatRoughDuration,
  formatShare,
  formatSize,
  formatTimeLeft,
  formatUtcDay,
} from './format.ts'

describe('a size', () => {
  test.for([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [1550, '1.6 kB'],
    [999_000, '999 kB'],
    [1_000_000, '1 MB'],
    [10_000_000_000, '10 GB'],
    [2_500_000_000_000, '2.5 TB'],
    [7_000_000_000_000_000, '7,000 TB'],
  ] as const)('of %d is %s', ([bytes, text]) => {
    expect(formatSize(bytes, 'en')).toBe(text)
  })

  test('is formatted for the language', () => {
    expect(formatSize(1_500_000, 'de')).toBe('1,5 MB')
  })
})

test('a size with a Latin unit keeps its order in a text from right to left', () => {
  expect(formatSize(30_000, 'he')).toBe('\u206830 kB\u2069')
})

describe('a duration', () => {
  test.for([
    [0, '0 seconds'],
    [1, '1 second'],
    [59.9, '59 seconds'],
    [60, '1 minute'],
    [65, '1 minute 5 seconds'],
    [3600, '1 hour'],
    [3605, '1 hour'],
    [86_399, '23 hours 59 minutes'],
    [86_400, '1 day'],
    [90_000, '1 day 1 hour'],
    [2_592_000, '30 days'],
    [-5, '0 seconds'],
  ] as const)('of %d seconds is %s', ([seconds, text]) => {
    expect(formatDuration(seconds, 'en')).toBe(text)
  })

  test('is formatted for the language', () => {
    expect(formatDuration(93_600, 'de')).toBe('1 Tag 2 Stunden')
  })
})

test.for([
  [0, '0 seconds'],
  [56.5, '56 seconds'],
  [57, '1 minute'],
  [56 * 60, '56 minutes'],
  [57 * 60, '1 hour'],
  [86_399, '1 day'],
  [22.7 * 3600, '22 hours'],
  [2_591_999, '30 days'],
  [29.96 * 86_400, '30 days'],
  [29.9 * 86_400, '29 days'],
  [-1, '0 seconds'],
] as const)('roughly, %d seconds are %s', ([seconds, text]) => {
  expect(formatRoughDuration(seconds, 'en')).toBe(text)
})

test.for([
  [2_592_000, '30 days'],
  [2_591_940, '30 days'],
  [2_588_400, '30 days'],
  [2_584_800, '29 days 22 hours'],
  [86_399, '1 day'],
  [3599, '1 hour'],
  [7199, '2 hours'],
  [5400, '1 hour 30 minutes'],
  [3400, '56 minutes 40 seconds'],
  [59, '59 seconds'],
] as const)('%d seconds until the expiry are %s', ([seconds, text]) => {
  expect(formatTimeLeft(seconds, 'en')).toBe(text)
})

test('a day in UTC is the same day in any time zone', () => {
  expect(formatUtcDay('2026-11-21', 'en')).toBe('Nov 21, 2026')
  expect(formatUtcDay('2026-11-21', 'de')).toBe('21.11.2026')
})

test('a fraction is formatted in percent', () => {
  expect([0, 1 / 3, 1].map((part) => formatShare(part, 'en'))).toEqual(['0%', '33%', '100%'])
})
