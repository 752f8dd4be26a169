import { expect, test } from 'vitest'
import { decryptionKeys, passphrasesOf } from './decryption-keys.ts'

test.each([
  ['ifpt-bqqt', ['ifpt-bqqt']],
  [' ifpt-bqqt\n', [' ifpt-bqqt\n', 'ifpt-bqqt']],
  ['Ifpt-bqqt ', ['Ifpt-bqqt ', 'Ifpt-bqqt', 'ifpt-bqqt']],
  ['Our Secret', ['Our Secret', 'our secret']],
])('%j is tried as %j', (typed, tried) => {
  expect(passphrasesOf(typed)).toEqual(tried)
})

test('a private key is recognised in any case', () => {
  expect(decryptionKeys(' age-secret-key-1abc ')).toEqual({
    identities: ['AGE-SECRET-KEY-1ABC'],
    passphrases: [' age-secret-key-1abc ', 'age-secret-key-1abc'],
  })
})
