import { systemRandom, type Random } from './scrypt-stanza.ts'

/** 32 characters, five bits each, without those that are taken for others; none needs escaping in a link. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'
const groups = 7
const groupLength = 4

/**
 * A passphrase that is not meant to be remembered, but can be read out and typed: seven groups of four characters, 140 bits.
 * More than the 128 of the key that it protects, so that the work factor of scrypt adds nothing (`generatedWorkFactor`).
 */
export function generatePassphrase(random: Random = systemRandom): string {
  const bytes = new Uint8Array(groups * groupLength)
  random(bytes)
  const characters = Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('')
  return (characters.match(/.{4}/g) ?? []).join('-')
}

const form = new RegExp(
  `^[${alphabet}]{${String(groupLength)}}(?:-[${alphabet}]{${String(groupLength)}}){${String(groups - 1)}}$`,
)
/** In 28 random characters fewer different ones occur only once in some billion cases. */
const minDistinctLetters = 9

/** Whether a passphrase may well be one of `generatePassphrase`, and not one that a person thought of in the same form. */
export const looksGenerated = (passphrase: string): boolean =>
  form.test(passphrase) && new Set(passphrase.replaceAll('-', '')).size >= minDistinctLetters
