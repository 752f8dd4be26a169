/** Digits of Bech32 (BIP 173), by value. */
const digits = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** Coefficients of the checksum of Bech32, by bit. */
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** Digits of a checksum. */
const checksumLength = 6

/** Bytes of the key of each kind of recipient that the clients encrypt for without a plugin, by its prefix. */
const keyBytes: ReadonlyMap<string, number> = new Map([
  ['age', 32], // X25519
  ['age1pq', 1216], // ML-KEM-768 and X25519
  ['age1tag', 33], // P-256, a compressed point
  ['age1tagpq', 1249], // ML-KEM-768 and P-256, an uncompressed point
])

/** Whether a text is a recipient of age: Bech32 in lower case, of any length, with a checksum and a key of the right size. */
export function isAgeRecipient(text: string): boolean {
  // Prefixes contain the separator, and digits do not.
  const separator = text.lastIndexOf('1')
  const prefix = text.slice(0, Math.max(separator, 0))
  const bytes = keyBytes.get(prefix)
  if (bytes === undefined) return false
  const values = Array.from(text.slice(separator + 1), (digit) => digits.indexOf(digit))
  const keyDigits = Math.ceil((bytes * 8) / 5)
  if (values.length !== keyDigits + checksumLength || values.includes(-1)) return false
  const unusedBits = keyDigits * 5 - bytes * 8
  const lastDigit = values[keyDigits - 1] ?? 0
  return lastDigit % 2 ** unusedBits === 0 && remainderOf([...expanded(prefix), ...values]) === 1
}

/** A prefix as the checksum covers it. */
function expanded(prefix: string): readonly number[] {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0))
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

/** The remainder of the polynomial over digits; 1 if the last of them are the checksum of the others. */
const remainderOf = (values: readonly number[]): number =>
  values.reduce((remainder, value) => {
    const top = remainder >> 25
    const shifted = ((remainder & 0x1ffffff) << 5) ^ value
    return generator.reduce((sum, part, bit) => (((top >> bit) & 1) === 1 ? sum ^ part : sum), shifted)
  }, 1)
