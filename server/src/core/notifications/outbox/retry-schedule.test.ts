import { expect, test } from 'vitest'
import { pauseAfter } from './retry-schedule.ts'

const now = Date.UTC(2026, 0, 1)
const day = 86_400_000
const filled = (byte: number) => (into: Uint8Array<ArrayBuffer>) => into.fill(byte)
const pause = (attempts: number, retryAfter?: string, byte = 0) =>
  pauseAfter(attempts, { now, random: filled(byte), retryAfter })

test('pauses grow, and there is none after the last attempt', () => {
  const pauses = Array.from({ length: 10 }, (_, index) => pause(index + 1))
  expect(pauses.slice(0, 3)).toEqual([5_000, 300_000, 1_800_000])
  expect(pauses.at(-1)).toBeNull()
  const known = pauses.filter((ms) => ms !== null)
  expect(known).toEqual(known.toSorted((a, b) => a - b))
  expect(known.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(2.9 * day)
})

test('a pause is up to a fifth longer at random', () => {
  expect(pause(2, undefined, 255)).toBeGreaterThan(1.19 * 300_000)
  expect(pause(2, undefined, 255)).toBeLessThan(1.2 * 300_000)
})

test.each([
  ['600', 600_000],
  ['4', 5_000],
  ['999999999', day],
  [new Date(now + 600_000).toUTCString(), 600_000],
  [new Date(now - 600_000).toUTCString(), 5_000],
  [new Date(now + 100 * day).toUTCString(), day],
  ['-5', 5_000],
  ['soon', 5_000],
  ['', 5_000],
  ['1e99', 5_000],
  ['99999999999999999999', 5_000],
])('Retry-After: %s extends the first pause to %i ms', (retryAfter, expected) => {
  expect(pause(1, retryAfter)).toBe(expected)
})
