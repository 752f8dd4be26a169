import { hash } from 'node:crypto'
import { base62, isUserToken, limits, shownTokenLength } from '@svc/contract'
import { isId } from './ids.ts'

/** The stored fields of a user token, instead of the token. */
export interface UserTokenKeys {
  /** 16 Base62 characters derived from the hash: computing the id needs no look-up, and all servers agree. */
  readonly id: string
  /** SHA-256 in base64url. A token has at least 122 random bits, so it needs no salt and no slow hash. */
  readonly tokenHash: string
  /** The start of the token, by which people recognise it. */
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

/** The id of a token that is given by its id or its value; undefined for any other text. */
export function userTokenIdFrom(idOrToken: string): string | undefined {
  if (isUserToken(idOrToken)) return userTokenKeys(idOrToken).id
  return isId(idOrToken) ? idOrToken : undefined
}
