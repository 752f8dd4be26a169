import { expect, test } from 'vitest'
import { parseOffset } from './tus-state.ts'

test.each([
  ['0', 0],
  ['9007199254740991', 9_007_199_254_740_991],
  [null, undefined],
  ['', undefined],
  [' 1', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['0x1', undefined],
])('the header %j is the offset %s', (header, offset) => {
  expect(parseOffset(header)).toBe(offset)
})
