import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'

/** How long a token is valid, in seconds: at most a day (RFC 8292 §2). */
const validSeconds = 12 * 3_600

/** How long before its end a token is replaced, in seconds. */
const replacedBefore = 3_600

const keyBytes = 32

/** Identifies this service to push services (RFC 8292). */
export interface Vapid {
  /** The public key, which browsers need to subscribe: an uncompressed point of P-256 in base64url. */
  readonly publicKey: string
  /**
   * The value of the header `Authorization`.
   * @param now ms
   */
  readonly authorization: (endpoint: URL, now: number) => Promise<string>
}

/** A new private key: 32 bytes in base64url. */
export function newVapidKey(): string {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const key = keys.getPrivateKey()
  // It is shorter if it begins with zeros.
  return Buffer.concat([Buffer.alloc(keyBytes - key.length), key]).toString('base64url')
}

/**
 * @param privateKey 32 bytes in base64url
 * @param contact an `https` address or `mailto:` address, at which the operator of a push service reaches this one
 * @throws when the private key is none
 */
export function vapid(privateKey: string, contact: string | null): Vapid {
  if (Buffer.from(privateKey, 'base64url').length !== keyBytes) throw new Error('this is not a private key')
  const keys = createECDH('prime256v1')
  keys.setPrivateKey(privateKey, 'base64url')
  const point = keys.getPublicKey()
  const publicKey = point.toString('base64url')
  const key: KeyObject = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: privateKey,
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  /** Signing takes 0.1 ms, and a push service may refuse too many different tokens. */
  const tokens = new Map<string, { readonly token: string; readonly until: number }>()
  return {
    publicKey,
    async authorization({ origin }, now) {
      const seconds = Math.floor(now / 1000)
      const known = tokens.get(origin)
      if (
        known !== undefined &&
        known.until - replacedBefore > seconds &&
        known.until - validSeconds <= seconds
      )
        return known.token
      const until = seconds + validSeconds
      const jwt = new SignJWT({})
        .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
        .setAudience(origin)
        .setExpirationTime(until)
      if (contact !== null) jwt.setSubject(contact)
      const token = `vapid t=${await jwt.sign(key)}, k=${publicKey}`
      if (tokens.size >= maxTokens) tokens.clear()
      tokens.set(origin, { token, until })
      return token
    },
  }
}

/** The maximum number of tokens that are kept: browsers use a few push services. */
const maxTokens = 100
