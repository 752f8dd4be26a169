import { expect, test } from 'vitest'
import { isAlias } from './alias.ts'

test.for(['abc', 'holiday-2026', '123', 'a-b', 'x'.repeat(64), 'abcdefgh-ijklmno'])(
  '%s is an alias',
  (text) => {
    expect(isAlias(text)).toBe(true)
  },
)

test.for([
  '',
  'ab',
  'x'.repeat(65),
  'Holiday',
  'a b',
  'a_b',
  'a.b',
  'a/b',
  'größe',
  'abc\n',
  'admin',
  'login',
  // The form of an id.
  'abcdefghijklmnop',
  '0123456789abcdef',
])('%j is not an alias', (text) => {
  expect(isAlias(text)).toBe(false)
})
