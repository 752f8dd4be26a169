import { expect, test } from 'vitest'
import { abbreviated } from './abbreviated.ts'

const most = { word: 7, text: 20 }

test.each([
  ['', ''],
  ['seven77', 'seven77'],
  ['from "a" to "b"', 'from "a" to "b"'],
  ['a longer-word', 'a lon…ord'],
  ['🗿🗿🗿🗿🗿🗿🗿🗿', '🗿🗿🗿…🗿🗿🗿'],
  ['many words of a text are cut', 'many words…t are cut'],
])('%j becomes %j', (text, expected) => {
  expect(abbreviated(text, most)).toBe(expected)
})
