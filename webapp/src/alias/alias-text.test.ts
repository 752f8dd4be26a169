import { expect, test } from 'vitest'
import { aliasText } from './alias-text.ts'

test('an alias has small letters, and one hyphen for spaces and hyphens in a row', () => {
  expect(aliasText('Holiday in  Rome')).toBe('holiday-in-rome')
  expect(aliasText('a - b')).toBe('a-b')
  expect(aliasText('a--b\t-')).toBe('a-b-')
  expect(aliasText('')).toBe('')
})
