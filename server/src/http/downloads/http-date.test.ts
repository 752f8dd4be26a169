import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseHttpDate } from './http-date.ts'

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
  ['Wed Nov 16 08:49:37 1994', '1994-11-16T08:49:37Z'],
  ['Thu, 01 Jan 1970 00:00:00 GMT', '1970-01-01T00:00:00Z'],
])('%s is an HTTP date', (value, expected) => {
  expect(parseHttpDate(value)).toBe(Date.parse(expected))
})

test.each([
  '',
  '0',
  '-1',
  '1994',
  '1994-11-06T08:49:37Z',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 +0100',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 25:49:37 GMT',
  'sun, 06 nov 1994 08:49:37 gmt',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
  'yesterday',
])('%j is not an HTTP date', (value) => {
  expect(parseHttpDate(value)).toBeNull()
})

test('parses every date that the service sends', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
      expect(parseHttpDate(new Date(seconds * 1000).toUTCString())).toBe(seconds * 1000)
    }),
  )
})
