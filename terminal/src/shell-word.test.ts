import { expect, test } from 'vitest'
import { shellWord } from './shell-word.ts'

test.each([
  ['report.pdf', 'report.pdf'],
  ['my file.txt', "'my file.txt'"],
  ["it's", "'it'\\''s'"],
  ['$(rm -rf ~)', "'$(rm -rf ~)'"],
  ['', "''"],
])('the word %j is quoted for a shell as %s', (word, quoted) => {
  expect(shellWord(word)).toBe(quoted)
})
