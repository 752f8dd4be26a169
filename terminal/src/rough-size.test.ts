import { expect, test } from 'vitest'
import { roughSize } from './rough-size.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.00 kB'],
  [1_234_567, '1.23 MB'],
  [9_996_000, '10.0 MB'],
  [999_499, '999 kB'],
  [999_500, '1.00 MB'],
  [10_737_418_240, '10.7 GB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(roughSize(bytes)).toBe(shown)
})
