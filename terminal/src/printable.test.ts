import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable, printableJson } from './printable.ts'

test('control sequences do not reach the terminal', () => {
  expect(printable('a\x1b]52;c;aGk=\x07b\r\n\x9b31m\u202egpj.exe\ud800')).toBe(
    'a\\u001b]52;c;aGk=\\u0007b\\u000d\\u000a\\u009b31m\\u202egpj.exe\\ud800',
  )
})

test('ordinary text does not change', () => {
  expect(printable('Zoë’s 写真 👩‍🚀 ünïcode.txt')).toBe('Zoë’s 写真 👩‍🚀 ünïcode.txt')
})

test('JSON parses to the same value, without control characters', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (value) => {
      const text = printableJson(value)
      // eslint-disable-next-line no-control-regex -- what must not be there
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
