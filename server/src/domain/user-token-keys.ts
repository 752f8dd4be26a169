import { hash } from 'node:crypto'
import { base62, isUserToken, limits, shownTokenLength } from '@svc/contract'
import { isId } from './ids.ts'

/** What is kept of a user token instead of the token. */
export interface UserTokenKeys {
  /** 16 Base62 characters made of the hash, so that the id follows from the token: no look-up, the same on every server. */
  readonly id: string
  /** SHA-256 in base64url. A token has at least 122 random bits, which no search finds: it needs no salt and no slow hash. */
  readonly tokenHash: string
  /** The beginning by which people recognise it. */
  readonly prefix: string
}

export function userTokenKeys(token: string): UserTokenKeys {
  const tokenHash = hash('sha256', token, 'base64url')
  return { id: userTokenId(tokenHash), tokenHash, prefix: token.slice(0, shownTokenLength) }
}

/** @param tokenHash SHA-256 of a user token in base64url */
export function userTokenId(tokenHash: string): string {
  const bytes = Buffer.from(tokenHash, 'base64url').subarray(0, limits.idLength)
  return Array.from(bytes, (byte) => base62.charAt(byte % base62.length)).join('')
}

/** The id of the token that somebody names by its id or by itself; undefined for what can be neither. */
export function namedUserToken(named: string): string | undefined {
  if (isUserToken(named)) return userTokenKeys(named).id
  return isId(named) ? named : undefined
}
