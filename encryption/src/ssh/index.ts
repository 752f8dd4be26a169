import type { Identity, Recipient } from 'age-encryption'
import { systemRandom, type RandomSource } from '../base/random-source.ts'
import { ed25519Identity, ed25519Recipient } from './ed25519.ts'
import { parsePrivateKey } from './private-key.ts'
import { parsePublicKey } from './public-key.ts'
import { rsaIdentity, rsaRecipient } from './rsa.ts'

export { isPrivateKey } from './private-key.ts'
export { isSshPublicKey } from './public-key.ts'

/**
 * A recipient for an SSH key, in the format of age for `ssh-ed25519` and `ssh-rsa`.
 * @param line of a `.pub` file: `ssh-ed25519 AAAA… comment`
 * @throws EncryptionError `bad_recipient`
 */
export function sshRecipient(line: string, random: RandomSource = systemRandom): Recipient {
  const key = parsePublicKey(line)
  return key.kind === 'ssh-ed25519' ? ed25519Recipient(key, random) : rsaRecipient(key)
}

/**
 * An identity that opens files encrypted for an SSH key.
 * @param text the private key, as `ssh-keygen` writes it without a passphrase
 * @throws EncryptionError `bad_identity`
 */
export function sshIdentity(text: string): Identity {
  const key = parsePrivateKey(text)
  return key.kind === 'ssh-ed25519' ? ed25519Identity(key) : rsaIdentity(key)
}
