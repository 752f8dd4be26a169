import { expect, test } from 'vitest'
import { shortened } from './shortened.ts'

const most = { word: 7, text: 20 }

test.each([
  ['', ''],
  ['seven77', 'seven77'],
  ['from "a" to "b"', 'from "a" to "b"'],
  ['a longer-word', 'a lon…ord'],
  ['🗿🗿🗿🗿🗿🗿🗿🗿', '🗿🗿🗿…🗿🗿🗿'],
  ['many words of a text are cut', 'many words…t are cut'],
])('%j becomes %j', (text, expected) => {
  expect(shortened(text, most)).toBe(expected)
})
