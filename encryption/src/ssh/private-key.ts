import { EncryptionError } from '../base/error.ts'
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

/**
 * Reads a private key as `ssh-keygen` writes it (OpenSSH, PROTOCOL.key), without a passphrase.
 * @throws EncryptionError `bad_identity`
 */
export function parsePrivateKey(text: string): SshPrivateKey {
  const found = armor.exec(text.trim())
  if (found === null)
    throw keyError('the private key is not in the format of OpenSSH (ssh-keygen -p -f FILE writes it anew)')
  try {
    const bytes = Uint8Array.from(atob((found[1] ?? '').replaceAll(/\s/g, '')), (character) =>
      character.charCodeAt(0),
    )
    return decode(readWire(bytes))
  } catch (error) {
    if (error instanceof EncryptionError) throw error
    throw keyError('the private key is damaged', error)
  }
}

function decode(reader: WireReader): SshPrivateKey {
  if (new TextDecoder('latin1').decode(reader.take(magic.length)) !== magic)
    throw keyError('the private key is damaged')
  const cipher = reader.text()
  if (cipher !== 'none')
    throw keyError('the private key has a passphrase (ssh-keygen -p -f COPY takes it off a copy)')
  reader.text()
  reader.bytes()
  if (reader.uint32() !== 1) throw keyError('the file has several private keys')
  const publicKey = decodePublicKey(reader.bytes())
  const secret = readWire(reader.bytes())
  // The number is written twice, to verify the passphrase of an encrypted key.
  if (secret.uint32() !== secret.uint32()) throw keyError('the private key is damaged')
  const kind = secret.text()
  if (publicKey === undefined || publicKey.kind !== kind)
    throw keyError(`nothing is decrypted with a key of the kind ${kind}`)
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
