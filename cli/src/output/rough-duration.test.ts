import { expect, test } from 'vitest'
import { roughDuration } from './rough-duration.ts'

test.each([
  [0, '0s'],
  [59, '59s'],
  [3600, '1h'],
  [273_600, '3d 4h'],
  [86_401, '1d'],
])('%d seconds are formatted as %s', (seconds, shown) => {
  expect(roughDuration(seconds)).toBe(shown)
})
