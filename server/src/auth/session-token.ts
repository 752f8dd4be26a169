import { createHmac } from 'node:crypto'
import { jwtVerify, SignJWT, type JWTPayload } from 'jose'
import type { Clock } from '../domain/clock.ts'
import { equalSecrets } from './secrets.ts'

/** A session token with a valid signature and expiry. The database knows whether the session still exists. */
export interface VerifiedSession {
  readonly id: string
  /** The value that mutating requests must repeat. Each session has another one. */
  readonly xsrf: string
}

export interface SessionTokens {
  /** @param expireAt ms */
  issue(id: string, expireAt: number): Promise<{ readonly token: string; readonly xsrf: string }>
  /** @returns null for a forged, damaged or expired token */
  verify(token: string): Promise<VerifiedSession | null> | VerifiedSession | null
  /**
   * Signs a value that a browser stores for a few minutes.
   * @param expireAt ms
   */
  signValue(purpose: string, content: JWTPayload, expireAt: number): Promise<string>
  /** @returns null for a value that is forged, expired, or of another purpose */
  verifyValue(purpose: string, token: string): Promise<JWTPayload | null>
}

const algorithm = 'HS256'
const session = 'session'

/** The number of cached tokens: verifying a signature costs more than a whole small request. */
const maxCached = 10_000

/** JSON Web Tokens (RFC 7519), signed with the key that all instances on one database share. */
export function sessionTokens(key: string, clock: Clock): SessionTokens {
  const secret = new TextEncoder().encode(key)
  const verified = new Map<string, VerifiedSession & { readonly expireAt: number }>()
  const xsrfOf = (id: string) => createHmac('sha256', secret).update(`xsrf ${id}`).digest('base64url')

  const signValue = (purpose: string, content: JWTPayload, expireAt: number) =>
    new SignJWT(content)
      .setProtectedHeader({ alg: algorithm })
      .setAudience(purpose)
      .setExpirationTime(Math.ceil(expireAt / 1000))
      .sign(secret)

  const verifyValue = async (purpose: string, token: string) => {
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: [algorithm],
        audience: purpose,
        requiredClaims: ['exp'],
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch {
      // The reason would help only an attacker.
      return null
    }
  }

  const check = async (token: string): Promise<VerifiedSession | null> => {
    const payload = await verifyValue(session, token)
    if (typeof payload?.jti !== 'string' || payload.exp === undefined) return null
    const found = { id: payload.jti, xsrf: xsrfOf(payload.jti), expireAt: payload.exp * 1000 }
    if (verified.size >= maxCached) verified.clear()
    verified.set(token, found)
    return found
  }

  return {
    signValue,
    verifyValue,
    async issue(id, expireAt) {
      return { token: await signValue(session, { jti: id }, expireAt), xsrf: xsrfOf(id) }
    },
    verify(token) {
      const known = verified.get(token)
      return known !== undefined && known.expireAt > clock.now() ? known : check(token)
    },
  }
}

/** Whether a request repeats the XSRF value of its session. */
export const matchesXsrf = ({ xsrf }: VerifiedSession, repeated: unknown): boolean =>
  typeof repeated === 'string' && equalSecrets(repeated, xsrf)
