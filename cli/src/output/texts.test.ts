import { expect, test } from 'vitest'
import { roughDuration } from './rough-duration.ts'
import { shellWord } from '@svc/terminal'
import { parseSize } from './sizes.ts'

test.each([
  ['4096', 4096],
  ['500k', 500_000],
  ['1.5 MB', 1_500_000],
  ['2MiB', 2_097_152],
  ['0', undefined],
  ['', undefined],
  ['fast', undefined],
  ['1e9', undefined],
])('the size %j is formatted as %s', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})

test.each([
  [0, '0s'],
  [59, '59s'],
  [3600, '1h'],
  [273_600, '3d 4h'],
  [86_401, '1d'],
])('%d seconds are formatted as %s', (seconds, shown) => {
  expect(roughDuration(seconds)).toBe(shown)
})

test.each([
  ['report.pdf', 'report.pdf'],
  ['my file.txt', "'my file.txt'"],
  ["it's", "'it'\\''s'"],
  ['$(rm -rf ~)', "'$(rm -rf ~)'"],
  ['', "''"],
])('the word %j is quoted for a shell as %s', (word, quoted) => {
  expect(shellWord(word)).toBe(quoted)
})
