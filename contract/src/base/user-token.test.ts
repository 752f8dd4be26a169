import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base62, isUserToken, userToken } from './user-token.ts'

const digits = Array.from(base62)
const random = fc.string({ unit: fc.constantFrom(...digits), minLength: 30, maxLength: 30 })

test('a token is the prefix, 30 random characters and a checksum of 6', () => {
  fc.assert(
    fc.property(random, (text) => {
      const token = userToken(text)
      expect(token).toMatch(/^svct_[0-9A-Za-z]{36}$/)
      expect(token.slice(5, 35)).toBe(text)
      expect(isUserToken(token)).toBe(true)
    }),
  )
})

test('the checksum is the CRC-32 of the first 35 characters in Base62', () => {
  fc.assert(
    fc.property(random, (text) => {
      const value = Array.from(userToken(text).slice(35)).reduce(
        (sum, digit) => sum * 62 + base62.indexOf(digit),
        0,
      )
      expect(value).toBe(crc32(`svct_${text}`))
    }),
  )
})

test('a wrong character is detected without a database query', () => {
  fc.assert(
    fc.property(random, fc.integer({ min: 5, max: 40 }), fc.constantFrom(...digits), (text, at, other) => {
      const token = userToken(text)
      fc.pre(token[at] !== other)
      expect(isUserToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
    }),
  )
})

test.each([
  ['a legacy UUIDv4', '3f2c9a52-5d1e-4c7b-9f00-0123456789ab', true],
  ['a UUID of another version', '3f2c9a52-5d1e-1c7b-9f00-0123456789ab', false],
  ['a token of Plik', 'plik_pEbYllwdN3xRK9RfiKKnDMqejyUGqmalzxS3', true],
  ['a token of Plik with a wrong character', 'plik_pEbYllwdN3xRK9RfiKKnDMqejyUGqmalzxS4', false],
  ['a token of Svc with the prefix of Plik', `plik_${userToken('a'.repeat(30)).slice(5)}`, false],
  ['an empty string', '', false],
  ['a token with a newline', `${userToken('a'.repeat(30))}\n`, false],
])('%s', (_case, value, expected) => {
  expect(isUserToken(value)).toBe(expected)
})

test.each([29, 31])('%i random characters are rejected', (length) => {
  expect(() => userToken('a'.repeat(length))).toThrow(RangeError)
})
