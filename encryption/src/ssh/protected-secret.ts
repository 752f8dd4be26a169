/// <reference types="./bcrypt-pbkdf.d.ts" />
import { cbc, ctr, gcm } from '@noble/ciphers/aes.js'
import { pbkdf } from 'bcrypt-pbkdf'
import { concat, utf8 } from '../base/bytes.ts'
import { EncryptionError } from '../base/error.ts'
import { readWire } from './wire.ts'

/** The secret part of a private key that a passphrase protects (OpenSSH, PROTOCOL.key). */
export interface ProtectedSecret {
  /** Name of the cipher. */
  readonly cipher: string
  /** Name of the function that derives the key of the cipher, and its parameters. */
  readonly kdf: string
  readonly kdfOptions: Uint8Array
  readonly encrypted: Uint8Array
  /** What follows the key: the authentication tag of some ciphers. */
  readonly tag: Uint8Array
}

interface Cipher {
  readonly keyBytes: number
  readonly ivBytes: number
  readonly decrypt: (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array, tag: Uint8Array) => Uint8Array
}

const counter = (keyBytes: number): Cipher => ({
  keyBytes,
  ivBytes: 16,
  decrypt: (key, iv, bytes) => ctr(key, iv).decrypt(bytes),
})
const chained = (keyBytes: number): Cipher => ({
  keyBytes,
  ivBytes: 16,
  // The content has padding of another kind.
  decrypt: (key, iv, bytes) => cbc(key, iv, { disablePadding: true }).decrypt(bytes),
})
const authenticated = (keyBytes: number): Cipher => ({
  keyBytes,
  ivBytes: 12,
  decrypt: (key, iv, bytes, tag) => gcm(key, iv).decrypt(concat([bytes, tag])),
})

const ciphers: Readonly<Partial<Record<string, Cipher>>> = {
  'aes256-ctr': counter(32),
  'aes192-ctr': counter(24),
  'aes128-ctr': counter(16),
  'aes256-cbc': chained(32),
  'aes192-cbc': chained(24),
  'aes128-cbc': chained(16),
  'aes256-gcm@openssh.com': authenticated(32),
  'aes128-gcm@openssh.com': authenticated(16),
}

/** `ssh-keygen` uses 16 or 24. A file with many more would keep the processor busy for hours. */
const maxRounds = 4096

/**
 * The secret part, if the passphrase is right. Takes about a third of a second.
 * @returns bytes that the caller verifies: not all ciphers detect a wrong passphrase
 * @throws EncryptionError `bad_identity`
 */
export function openSecret(secret: ProtectedSecret, passphrase: string): Uint8Array | undefined {
  const cipher = ciphers[secret.cipher]
  if (cipher === undefined || secret.kdf !== 'bcrypt')
    throw new EncryptionError(
      'bad_identity',
      `private keys with ${cipher === undefined ? secret.cipher : secret.kdf} are not supported (ssh-keygen -p -Z aes256-ctr -f FILE writes the key anew)`,
    )
  const options = readWire(secret.kdfOptions)
  const salt = options.bytes()
  const rounds = options.uint32()
  if (rounds > maxRounds) throw new EncryptionError('bad_identity', 'the private key takes too many rounds')
  const derived = new Uint8Array(cipher.keyBytes + cipher.ivBytes)
  const text = utf8(passphrase)
  if (text.length === 0) return undefined
  if (pbkdf(text, text.length, salt, salt.length, derived, derived.length, rounds) !== 0)
    throw new EncryptionError('bad_identity', 'the private key is damaged')
  const key = derived.subarray(0, cipher.keyBytes)
  try {
    return cipher.decrypt(key, derived.subarray(cipher.keyBytes), secret.encrypted, secret.tag)
  } catch {
    return undefined
  } finally {
    derived.fill(0)
  }
}
