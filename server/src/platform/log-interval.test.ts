import { expect, test } from 'vitest'
import { logInterval } from './log-interval.ts'

test('the first call logs, and then one a minute after the last line', () => {
  let now = 0
  const logged: number[] = []
  const logOncePerMinute = logInterval({ now: () => now })
  for (now of [0, 1, 59_999, 60_000, 60_001, 119_999, 200_000, 259_999, 260_000])
    logOncePerMinute(() => logged.push(now))
  expect(logged).toEqual([0, 60_000, 200_000, 260_000])
})
