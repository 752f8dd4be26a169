import { expect, test } from 'vitest'
import { patience } from './restart-policy.ts'

const soon = { workedMs: 9_999, others: 1, complete: true }
const never = { workedMs: null, others: 1, complete: true }

test('who worked for ten seconds is replaced at once', () => {
  expect(patience().after({ ...soon, workedMs: 10_000 })).toBe(0)
})

test('who ends early is replaced later each time, up to half a minute', () => {
  const { after } = patience()
  const delays = Array.from({ length: 11 }, () => after(soon))
  expect(delays.slice(0, 4)).toEqual([100, 200, 400, 800])
  expect(delays.slice(-2)).toEqual([30_000, 30_000])
  expect(after({ ...soon, workedMs: 10_000 })).toBe(0)
  expect(after(never)).toBe(100)
})

test('the very first worker gets one chance', () => {
  expect(patience().after({ workedMs: null, others: 0, complete: false })).toBe('give up')
})

test('five ends in a row are enough where nobody else works, or never all did', () => {
  for (const end of [
    { ...soon, others: 0 },
    { ...never, others: 0 },
    { ...never, complete: false },
  ]) {
    const { after } = patience()
    expect([1, 2, 3, 4].map(() => after(end))).toEqual([100, 200, 400, 800])
    expect(after(end)).toBe('give up')
  }
})
