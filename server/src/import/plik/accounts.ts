import { isUserToken, limits, type Provider } from '@svc/contract'
import { isBcrypt } from '../../auth/imported-hashes.ts'
import { userID } from '../../domain/access/user-id.ts'
import { bit } from '../../domain/records.ts'
import { userTokenKeys } from '../../domain/user-token-keys.ts'
import type { Fields } from '../../export/record-lines.ts'
import { truncated } from '../records.ts'
import { flagOf, integerOf, textOf, timeOf, type Row } from '../rows.ts'

const providers: Readonly<Record<string, Provider>> = {
  local: 'local',
  google: 'idp1',
  github: 'idp2',
  ovh: 'idp3',
  oidc: 'oidc',
}

/**
 * The id of a user in this service.
 * @param plikId `PROVIDER:…`, or empty for no user
 * @returns null without a user, and for an unknown provider
 */
export function userIdOf(plikId: string): string | null {
  const colon = plikId.indexOf(':')
  const provider = providers[plikId.slice(0, Math.max(0, colon))]
  return provider === undefined ? null : userID(provider, plikId.slice(colon + 1))
}

/** @returns the reason when this service cannot have the user */
export function userOf(row: Row, now: number): Fields<'user'> | string {
  const provider = providers[textOf(row, 'provider')]
  const id = userIdOf(textOf(row, 'id'))
  if (provider === undefined || id === null) return 'its provider is unknown'
  const password = textOf(row, 'password')
  return {
    id,
    provider,
    issuer: null,
    accountId: null,
    login: textOf(row, 'login'),
    name: truncated(textOf(row, 'name'), limits.profileTextLength),
    email: truncated(textOf(row, 'email'), limits.profileTextLength),
    passwordHash: provider === 'local' && isBcrypt(password) ? password : null,
    admin: bit(flagOf(row, 'is_admin')),
    maxFileSize: integerOf(row, 'max_file_size'),
    maxUserSize: integerOf(row, 'max_user_size'),
    maxTTL: integerOf(row, 'max_ttl'),
    // Plik's themes are others.
    theme: '',
    language: textOf(row, 'language'),
    createdAt: timeOf(row, 'created_at') ?? now,
  }
}

/** @returns null for a token that this service cannot recognize */
export function tokenOf(row: Row, userId: string, now: number): Fields<'token'> | null {
  const token = textOf(row, 'token')
  if (!isUserToken(token)) return null
  return {
    ...userTokenKeys(token),
    userId,
    comment: truncated(textOf(row, 'comment'), limits.commentLength),
    scopes: null,
    createdAt: timeOf(row, 'created_at') ?? now,
    usedAt: null,
    expireAt: null,
    renewal: null,
  }
}
