import { generateX25519Identity, identityToRecipient } from 'age-encryption'
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
 * The fingerprint of a recipient: its SHA-256 in base64url, 43 characters. A link that has it shows whether a server names
 * another recipient.
 * @throws EncryptionError `insecure_context`
 */
export async function fingerprintOf(recipient: string): Promise<string> {
  requireWebCrypto()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(recipient))
  return base64url(new Uint8Array(digest))
}

/** Base64 for URLs and file names, without padding (RFC 4648 §5). */
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
