import { EncryptionError } from '../base/error.ts'
import { openSecret } from './protected-secret.ts'
import { decodePublicKey, type SshPublicKey } from './public-key.ts'
import { readWire, type WireReader } from './wire.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Secret numbers of an RSA key (RFC 8017 §3.2). */
export interface RsaSecret {
  readonly d: Bytes
  readonly p: Bytes
  readonly q: Bytes
  /** The inverse of q modulo p. */
  readonly inverse: Bytes
}

export type SshPrivateKey =
  | {
      readonly kind: 'ssh-ed25519'
      readonly publicKey: Extract<SshPublicKey, { kind: 'ssh-ed25519' }>
      readonly seed: Bytes
    }
  | {
      readonly kind: 'ssh-rsa'
      readonly publicKey: Extract<SshPublicKey, { kind: 'ssh-rsa' }>
      readonly secret: RsaSecret
    }

const armor =
  /^-----BEGIN OPENSSH PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/
const magic = 'openssh-key-v1\0'
const seedBytes = 32

const keyError = (why: string, cause?: unknown) => new EncryptionError('bad_identity', why, cause)

/** Whether a text is a private key in a PEM format. */
export const isPrivateKey = (text: string): boolean =>
  /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(text.trim())

/** A private key of a file. Its public key can be read without a passphrase. */
export interface PrivateKeyFile {
  readonly publicKey: SshPublicKey
  readonly isProtected: boolean
  /**
   * The secret part.
   * @param passphrase passphrase of a protected key
   * @throws EncryptionError `wrong_passphrase`, `bad_identity`
   */
  readonly open: (passphrase?: string) => SshPrivateKey
}

/**
 * Reads a private key as `ssh-keygen` writes it (OpenSSH, PROTOCOL.key).
 * @throws EncryptionError `bad_identity`
 */
export function readPrivateKey(text: string): PrivateKeyFile {
  const found = armor.exec(text.trim())
  if (found === null)
    throw keyError('the private key is not in the format of OpenSSH (ssh-keygen -p -f FILE writes it anew)')
  return orDamaged(() => {
    const bytes = Uint8Array.from(atob((found[1] ?? '').replaceAll(/\s/g, '')), (character) =>
      character.charCodeAt(0),
    )
    return decode(readWire(bytes))
  })
}

function orDamaged<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof EncryptionError) throw error
    throw keyError('the private key is damaged', error)
  }
}

function decode(reader: WireReader): PrivateKeyFile {
  if (new TextDecoder('latin1').decode(reader.take(magic.length)) !== magic)
    throw keyError('the private key is damaged')
  const cipher = reader.text()
  const kdf = reader.text()
  const kdfOptions = reader.bytes()
  if (reader.uint32() !== 1) throw keyError('the file has several private keys')
  const encoded = reader.bytes()
  const publicKey = decodePublicKey(encoded)
  if (publicKey === undefined)
    throw keyError(`nothing is decrypted with a key of the kind ${readWire(encoded).text()}`)
  const encrypted = reader.bytes()
  const isProtected = cipher !== 'none'
  const secret = { cipher, kdf, kdfOptions, encrypted, tag: reader.rest() }
  return {
    publicKey,
    isProtected,
    open: (passphrase = '') =>
      orDamaged(() => {
        if (!isProtected) return secretKey(publicKey, encrypted, keyError('the private key is damaged'))
        const wrong = new EncryptionError('wrong_passphrase', 'wrong passphrase of the private key')
        const opened = openSecret(secret, passphrase)
        if (opened === undefined) throw wrong
        return secretKey(publicKey, opened, wrong)
      }),
  }
}

/** @param wrong the error when the bytes are not those of a key */
function secretKey(publicKey: SshPublicKey, bytes: Uint8Array, wrong: EncryptionError): SshPrivateKey {
  const secret = readWire(bytes)
  // The number is written twice, to verify the passphrase of a protected key.
  if (secret.uint32() !== secret.uint32()) throw wrong
  if (publicKey.kind !== secret.text()) throw wrong
  switch (publicKey.kind) {
    case 'ssh-ed25519':
      secret.bytes()
      return { kind: publicKey.kind, publicKey, seed: seedOf(secret.bytes()) }
    case 'ssh-rsa':
      return { kind: publicKey.kind, publicKey, secret: rsaSecret(secret) }
  }
}

/** The seed is followed by the public key again. */
function seedOf(pair: Bytes): Bytes {
  if (pair.length !== 2 * seedBytes) throw keyError('the private key is damaged')
  return pair.slice(0, seedBytes)
}

function rsaSecret(reader: WireReader): RsaSecret {
  // n and e once more.
  reader.integer()
  reader.integer()
  const d = reader.integer()
  const inverse = reader.integer()
  return { d, inverse, p: reader.integer(), q: reader.integer() }
}
