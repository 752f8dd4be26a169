import { expect, test } from 'vitest'
import { isAgeRecipient } from './age-recipient.ts'

const x25519 = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'

/** Keys of zeros: `q` is the digit 0. The checksums are those of other implementations of Bech32. */
const zeros = (prefix: string, digits: number, checksum: string) =>
  `${prefix}1${'q'.repeat(digits)}${checksum}`

test.each([
  ['X25519', x25519],
  ['a post-quantum key', zeros('age1pq', 1946, 'tn9x8d')],
  ['a hardware key', zeros('age1tag', 53, 'cpqz94')],
  ['a post-quantum hardware key', zeros('age1tagpq', 1999, '3j35w7')],
])('%s is a recipient', (_what, text) => {
  expect(isAgeRecipient(text)).toBe(true)
})

test.each([
  ['nothing', ''],
  ['a prefix', 'age1'],
  ['a prefix with a letter', 'age1x'],
  ['58 letters without a checksum', `age1${'q'.repeat(58)}`],
  ['a wrong letter', x25519.replace('l3z', 'l3y')],
  ['a character that is not a digit', x25519.replace('l3z', 'lbz')],
  ['two swapped letters', x25519.replace('l3z', '3lz')],
  ['capital letters', x25519.toUpperCase()],
  ['a space at the end', `${x25519} `],
  ['a line break at the end', `${x25519}\n`],
  ['a key of 31 bytes', zeros('age', 50, 'ar9jk6')],
  ['a key of 33 bytes', zeros('age', 53, 'zhlqeg')],
  ['a key with a bit after its last byte', `${zeros('age', 51, 'p')}fwgqrs`],
  ['the key of a plugin', 'age1yubikey1q2w3e4r'],
  ['a private key', zeros('AGE-SECRET-KEY-', 52, 'cu47z5')],
  ['a key of SSH', 'ssh-ed25519 AAAA'],
])('%s is not a recipient', (_what, text) => {
  expect(isAgeRecipient(text)).toBe(false)
})
