import { expect, test } from 'vitest'
import { roughDuration } from './rough-duration.ts'

test.each([
  [0, '0s'],
  [59, '59s'],
  [3600, '1h'],
  [273_600, '3d 4h'],
  [86_401, '1d'],
  [1_209_600 - 3, '2w'],
  [1_209_600 - 43_201, '1w 6d'],
  [604_800 - 60, '1w'],
  [7_199, '2h'],
  [3_599, '59m 59s'],
  [59.6, '1m'],
])('%d seconds are formatted as %s', (seconds, shown) => {
  expect(roughDuration(seconds)).toBe(shown)
})
