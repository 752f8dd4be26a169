import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { EncryptionError } from '../base/error.ts'
import { requireWebCrypto } from '../base/require-web-crypto.ts'

/** A new pair of keys of age: files for the recipient open with the identity. */
export interface KeyPair {
  /** The private key, `AGE-SECRET-KEY-1…`. */
  readonly identity: string
  /** The public key, `age1…`. */
  readonly recipient: string
}

/** @throws EncryptionError `insecure_context` */
export async function generateKeyPair(): Promise<KeyPair> {
  requireWebCrypto()
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/**
 * The public key of a private key.
 * @throws EncryptionError `bad_identity`, `insecure_context`
 */
export async function recipientOf(identity: string): Promise<string> {
  requireWebCrypto()
  try {
    return await identityToRecipient(identity)
  } catch (cause) {
    throw new EncryptionError('bad_identity', 'this is not a private key of age', cause)
  }
}
