import { expect, test } from 'vitest'
import { hasLongLine } from './long-line.ts'

const line = (length: number) => 'x'.repeat(length)

test.for([
  ['nothing', '', false],
  ['the longest line that is wrapped', line(10_000), false],
  ['such lines', `${line(10_000)}\n`.repeat(3), false],
  ['a longer line', line(10_001), true],
  ['a longer line among others', `a\n${line(10_001)}\nb`, true],
  ['a longer line at the end', `a\n\n${line(10_001)}`, true],
  ['many empty lines', '\n'.repeat(100_000), false],
] as const)('%s', ([, text, expected]) => {
  expect(hasLongLine(text)).toBe(expected)
})
