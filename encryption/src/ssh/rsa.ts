import { Stanza, type Identity, type Recipient } from 'age-encryption'
import { base64url } from '../base/base64url.ts'
import { utf8 } from '../base/bytes.ts'
import { EncryptionError } from '../base/error.ts'
import { requireWebCrypto } from '../base/require-web-crypto.ts'
import { keyTag } from './key-tag.ts'
import type { SshPrivateKey } from './private-key.ts'
import type { SshPublicKey } from './public-key.ts'

type PublicKey = Extract<SshPublicKey, { kind: 'ssh-rsa' }>
type PrivateKey = Extract<SshPrivateKey, { kind: 'ssh-rsa' }>

const oaep = { name: 'RSA-OAEP', label: utf8('age-encryption.org/v1/ssh-rsa') }
const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' }
const fileKeyBytes = 16

const numberOf = (bytes: Uint8Array): bigint =>
  bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n)

function bytesOf(number: bigint): Uint8Array {
  const digits = number.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  return Uint8Array.from(even.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Numbers of a JSON Web Key are bytes in base64url (RFC 7518 §2, "Base64urlUInt"). */
const publicPart = ({ modulus, exponent }: PublicKey) => ({
  kty: 'RSA',
  n: base64url(modulus),
  e: base64url(exponent),
})

/** A recipient with RSA-OAEP of the environment. */
export function rsaRecipient(publicKey: PublicKey): Recipient {
  return {
    wrapFileKey: async (fileKey) => {
      requireWebCrypto()
      const key = await crypto.subtle.importKey('jwk', publicPart(publicKey), algorithm, false, ['encrypt'])
      const body = await crypto.subtle.encrypt(oaep, key, Uint8Array.from(fileKey))
      return [new Stanza(['ssh-rsa', keyTag(publicKey)], new Uint8Array(body))]
    },
  }
}

function importPrivate({ publicKey, secret }: PrivateKey): Promise<CryptoKey> {
  const { d, p, q, inverse } = secret
  const exponent = numberOf(d)
  const modulo = (prime: Uint8Array) => base64url(bytesOf(exponent % (numberOf(prime) - 1n)))
  const key = {
    ...publicPart(publicKey),
    d: base64url(d),
    p: base64url(p),
    q: base64url(q),
    dp: modulo(p),
    dq: modulo(q),
    qi: base64url(inverse),
  }
  return crypto.subtle.importKey('jwk', key, algorithm, false, ['decrypt'])
}

/** Its `unwrapFileKey` throws EncryptionError `bad_identity` when the numbers are not a key. */
export function rsaIdentity(privateKey: PrivateKey): Identity {
  const tag = keyTag(privateKey.publicKey)
  const opened = async (key: CryptoKey, { body }: Stanza): Promise<Uint8Array | null> => {
    try {
      const fileKey = await crypto.subtle.decrypt(oaep, key, Uint8Array.from(body))
      return fileKey.byteLength === fileKeyBytes ? new Uint8Array(fileKey) : null
    } catch {
      // Another key with the same tag.
      return null
    }
  }
  return {
    unwrapFileKey: async (stanzas) => {
      const own = stanzas.filter(({ args }) => args[0] === 'ssh-rsa' && args[1] === tag)
      if (own.length === 0) return null
      requireWebCrypto()
      const key = await importPrivate(privateKey).catch((error: unknown) => {
        throw new EncryptionError('bad_identity', 'the private key is damaged', error)
      })
      for (const stanza of own) {
        const fileKey = await opened(key, stanza)
        if (fileKey !== null) return fileKey
      }
      return null
    },
  }
}
