import { createHmac } from 'node:crypto'
import { jwtVerify, SignJWT, type JWTPayload } from 'jose'
import type { Clock } from '../domain/clock.ts'
import { equalSecrets } from './secrets.ts'

/** A session token that is genuine and not past its time; whether the session still is, the database knows. */
export interface GenuineSession {
  readonly id: string
  /** What mutating requests must repeat: it belongs to this session alone. */
  readonly xsrf: string
}

export interface SessionTokens {
  /** @param expireAt ms */
  issue(id: string, expireAt: number): Promise<{ readonly token: string; readonly xsrf: string }>
  /** @returns null for what is forged, damaged or expired */
  verify(token: string): Promise<GenuineSession | null> | GenuineSession | null
  /** Signs what a browser keeps for a few minutes. @param expireAt ms */
  seal(purpose: string, content: JWTPayload, expireAt: number): Promise<string>
  /** @returns null for what is forged, expired, or of another purpose */
  open(purpose: string, sealed: string): Promise<JWTPayload | null>
}

const algorithm = 'HS256'
const session = 'session'

/** How many genuine tokens are remembered: checking a signature costs more than a whole small request. */
const rememberMost = 10_000

/** JSON Web Tokens (RFC 7519), signed with the key that all processes on one database share. */
export function sessionTokens(key: string, clock: Clock): SessionTokens {
  const secret = new TextEncoder().encode(key)
  const genuine = new Map<string, GenuineSession & { readonly expireAt: number }>()
  const xsrfOf = (id: string) => createHmac('sha256', secret).update(`xsrf ${id}`).digest('base64url')

  const seal = (purpose: string, content: JWTPayload, expireAt: number) =>
    new SignJWT(content)
      .setProtectedHeader({ alg: algorithm })
      .setAudience(purpose)
      .setExpirationTime(Math.ceil(expireAt / 1000))
      .sign(secret)

  const open = async (purpose: string, sealed: string) => {
    try {
      const { payload } = await jwtVerify(sealed, secret, {
        algorithms: [algorithm],
        audience: purpose,
        requiredClaims: ['exp'],
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch {
      // Why a token is not genuine helps only whoever forged it.
      return null
    }
  }

  const check = async (token: string): Promise<GenuineSession | null> => {
    const payload = await open(session, token)
    if (typeof payload?.jti !== 'string' || payload.exp === undefined) return null
    const found = { id: payload.jti, xsrf: xsrfOf(payload.jti), expireAt: payload.exp * 1000 }
    if (genuine.size >= rememberMost) genuine.clear()
    genuine.set(token, found)
    return found
  }

  return {
    seal,
    open,
    async issue(id, expireAt) {
      return { token: await seal(session, { jti: id }, expireAt), xsrf: xsrfOf(id) }
    },
    verify(token) {
      const known = genuine.get(token)
      return known !== undefined && known.expireAt > clock.now() ? known : check(token)
    },
  }
}

/** Whether a request repeats the value that belongs to its session. */
export const repeatsXsrf = ({ xsrf }: GenuineSession, repeated: unknown): boolean =>
  typeof repeated === 'string' && equalSecrets(repeated, xsrf)
