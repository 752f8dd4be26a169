import { EncryptionError } from '../base/error.ts'
import { readWire } from './wire.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A public key of SSH, with its whole encoding, which identifies it. */
export type SshPublicKey =
  | { readonly kind: 'ssh-ed25519'; readonly encoded: Bytes; readonly point: Bytes }
  | { readonly kind: 'ssh-rsa'; readonly encoded: Bytes; readonly modulus: Bytes; readonly exponent: Bytes }

const pointBytes = 32
/** Minimum bits of an RSA key; shorter keys are not secure. */
const minRsaBits = 2048

/** Reads the encoding of a public key (RFC 4253 §6.6, RFC 8709 §4). Undefined for other kinds of keys. */
export function decodePublicKey(encoded: Bytes): SshPublicKey | undefined {
  try {
    const reader = readWire(encoded)
    const kind = reader.text()
    if (kind === 'ssh-ed25519') {
      const point = reader.bytes()
      return point.length === pointBytes ? { kind, encoded, point } : undefined
    }
    if (kind !== 'ssh-rsa') return undefined
    const exponent = reader.integer()
    return { kind, encoded, exponent, modulus: reader.integer() }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const bitsOf = (number: Uint8Array) =>
  number.length * 8 - (number[0] === undefined ? 0 : Math.clz32(number[0]) - 24)

/** @throws EncryptionError `bad_recipient` */
export function requireStrong(key: SshPublicKey): SshPublicKey {
  if (key.kind === 'ssh-rsa' && bitsOf(key.modulus) < minRsaBits) {
    throw new EncryptionError('bad_recipient', `an RSA key must have at least ${String(minRsaBits)} bits`)
  }
  return key
}

/** Unlike the base64 of headers, that of OpenSSH has padding, and other spellings of the same bytes are valid. */
function fromPaddedBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Whether a text starts like an SSH public key, of a supported or unsupported kind. */
export const isSshPublicKey = (text: string): boolean => /^(?:sk-)?(?:ssh-|ecdsa-)\S+\s/.test(text)

/**
 * Reads a line of a `.pub` file or of `authorized_keys` without options: `ssh-ed25519 AAAA… comment`.
 * @throws EncryptionError `bad_recipient`
 */
export function parsePublicKey(line: string): SshPublicKey {
  const [kind = '', text = ''] = line.trim().split(/\s+/)
  if (kind !== 'ssh-ed25519' && kind !== 'ssh-rsa')
    throw new EncryptionError('bad_recipient', `SSH keys of type ${kind} are not supported`)
  const encoded = fromPaddedBase64(text)
  const key = encoded === undefined ? undefined : decodePublicKey(encoded)
  if (key?.kind !== kind) throw new EncryptionError('bad_recipient', `the ${kind} key is damaged`)
  return requireStrong(key)
}
