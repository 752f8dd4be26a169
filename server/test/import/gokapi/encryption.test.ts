import { expect, test } from 'vitest'
import { encryptionOf } from '../../../src/import/gokapi/encryption.ts'
import { encryption } from './installation.ts'

test('what Go writes for a file without and with encryption is recognized', () => {
  expect(encryptionOf(encryption.none)).toBe('none')
  expect(encryptionOf(encryption.server)).toBe('encrypted')
  expect(encryptionOf(encryption.endToEnd)).toBe('encrypted')
})

test('a record that is cut is never one without encryption', () => {
  for (const whole of Object.values(encryption))
    for (let length = 0; length < whole.length; length += 1)
      expect(encryptionOf(whole.subarray(0, length))).toBe('unknown')
})

test.each([null, 'text', 1, new Uint8Array(100).fill(0xff), new Uint8Array(9)])(
  'other values are unknown (%#)',
  (value) => {
    expect(encryptionOf(value)).toBe('unknown')
  },
)
