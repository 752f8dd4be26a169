import { systemRandom, type RandomSource } from '../base/random-source.ts'

/** 32 characters, five bits each, without look-alikes. None needs escaping in a link. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'
const groups = 7
const groupLength = 4

/**
 * A passphrase that can be read out and typed: seven groups of four characters, 140 bits. The key that it protects has 128,
 * so a high work factor of scrypt adds no security (`generatedWorkFactor`).
 */
export function generatePassphrase(random: RandomSource = systemRandom): string {
  const bytes = new Uint8Array(groups * groupLength)
  random(bytes)
  const characters = Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('')
  return (characters.match(new RegExp(`.{${String(groupLength)}}`, 'g')) ?? []).join('-')
}

const form = new RegExp(
  `^[${alphabet}]{${String(groupLength)}}(?:-[${alphabet}]{${String(groupLength)}}){${String(groups - 1)}}$`,
)
/** 28 random characters have fewer distinct ones only once in billions of cases. */
const minDistinctCharacters = 9

/** Whether `generatePassphrase` probably made a passphrase. Excludes passphrases that a person typed in the same format. */
export const looksGenerated = (passphrase: string): boolean =>
  form.test(passphrase) && new Set(passphrase.replaceAll('-', '')).size >= minDistinctCharacters
