import { bech32 } from '@scure/base'

/** Bytes of the key of each kind of recipient that the clients encrypt for without a plugin, by its prefix. */
const keyBytes: ReadonlyMap<string, number> = new Map([
  ['age', 32], // X25519
  ['age1pq', 1216], // ML-KEM-768 and X25519
  ['age1tag', 33], // P-256, a compressed point
  ['age1tagpq', 1249], // ML-KEM-768 and P-256, an uncompressed point
])

/** Whether a text is a recipient of age: Bech32 in lower case, of any length, with a checksum and a key of the right size. */
export function isAgeRecipient(text: string): boolean {
  if (text !== text.toLowerCase()) return false
  const decoded = bech32.decodeUnsafe(text, false)
  const bytes = decoded === undefined ? undefined : keyBytes.get(decoded.prefix)
  return bytes !== undefined && bytes === bech32.fromWordsUnsafe(decoded?.words ?? [])?.length
}
