import { expect, test } from 'vitest'
import { restartPolicy } from './restart-policy.ts'

const earlyExit = { servedMs: 9_999, others: 1, complete: true }
const failedStart = { servedMs: null, others: 1, complete: true }

test('a worker that served for ten seconds is replaced at once', () => {
  expect(restartPolicy().after({ ...earlyExit, servedMs: 10_000 })).toBe(0)
})

test('after each early exit the delay doubles, up to half a minute', () => {
  const { after } = restartPolicy()
  const delays = Array.from({ length: 11 }, () => after(earlyExit))
  expect(delays.slice(0, 4)).toEqual([100, 200, 400, 800])
  expect(delays.slice(-2)).toEqual([30_000, 30_000])
  expect(after({ ...earlyExit, servedMs: 10_000 })).toBe(0)
  expect(after(failedStart)).toBe(100)
})

test('the very first worker is not restarted', () => {
  expect(restartPolicy().after({ servedMs: null, others: 0, complete: false })).toBe('give up')
})

test('five failures in a row are enough when no other worker serves, or when the start was never complete', () => {
  for (const exit of [
    { ...earlyExit, others: 0 },
    { ...failedStart, others: 0 },
    { ...failedStart, complete: false },
  ]) {
    const { after } = restartPolicy()
    expect([1, 2, 3, 4].map(() => after(exit))).toEqual([100, 200, 400, 800])
    expect(after(exit)).toBe('give up')
  }
})
