import { isUserToken, userToken, type NewUserToken, type UserToken } from '@svc/contract'
import { equalSecrets } from '../../auth/secrets.ts'
import { readScopes, writtenScopes, type Scopes } from '../../domain/access/access.ts'
import { featureDisabled, invalidRequest, invalidToken, tokenNotFound } from '../../domain/errors.ts'
import { randomText } from '../../domain/ids.ts'
import type { TokenRecord, UserRecord } from '../../domain/records.ts'
import { unlessFull } from '../limits/database-space.ts'
import { namedUserToken, userTokenKeys } from '../../domain/user-token-keys.ts'
import { requireStorable } from '../../domain/storable-text.ts'
import type { Service } from '../service.ts'
import { writeForUser } from './write-for-user.ts'

const randomLength = 30

/** The last use is kept to the minute: reading must not become writing. */
const usedStepMs = 60_000

/** @throws ServiceError `feature_disabled` where there are no user tokens */
export function requireUserTokens({ config }: Pick<Service, 'config'>): void {
  if (config.features.feature_api_tokens === 'disabled') throw featureDisabled('the use of tokens')
}

/**
 * Creates a token. The answer is the only one that ever has the whole token.
 * @throws ServiceError `feature_disabled`, `invalid_request`, `invalid_session` when the user is gone
 */
export const createToken = (
  service: Pick<Service, 'clock' | 'config' | 'random' | 'store'>,
  userId: string,
  given: NewUserToken,
): Promise<UserToken> => writeForUser(service, userId, () => insertToken(service, userId, given))

/** A token for the command line, whose end moves on with every use. */
export interface RenewedToken {
  readonly comment: string
  /** Milliseconds from its last use to its end; null: it has no end. */
  readonly renewal: number | null
}

/** The same in a transaction that has changed what belongs to the user: until its end, the user cannot be deleted. */
export async function insertToken(
  service: Pick<Service, 'clock' | 'config' | 'random' | 'store'>,
  userId: string,
  given: NewUserToken | RenewedToken,
): Promise<UserToken> {
  requireUserTokens(service)
  const { comment = '' } = given
  requireStorable('comment', comment)
  const { store, clock, random } = service
  const token = userToken(randomText(random, randomLength))
  const now = clock.now()
  const row: TokenRecord = {
    ...userTokenKeys(token),
    userId,
    comment,
    createdAt: now,
    usedAt: null,
    ...('renewal' in given ? renewedFrom(now, given) : limitsOf(now, given)),
  }
  await store.tokens.insert(row)
  return { ...describeToken(row), token }
}

type Limits = Pick<TokenRecord, 'scopes' | 'expireAt' | 'renewal'>

const renewedFrom = (now: number, { renewal }: RenewedToken): Limits => ({
  scopes: null,
  expireAt: renewal === null ? null : now + renewal,
  renewal,
})

const limitsOf = (now: number, { scopes, expiresAt }: NewUserToken): Limits => ({
  scopes: writtenScopes(scopes),
  expireAt: expiresAt === undefined ? null : endOfToken(expiresAt, now),
  renewal: null,
})

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/** Whether a month has the day: to JavaScript the 30th of February is one of March. */
function isDay(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
}

function endOfToken(written: string, now: number): number {
  const end = rfc3339.test(written) && isDay(written.slice(0, 10)) ? Date.parse(written) : Number.NaN
  if (Number.isNaN(end)) throw invalidRequest('expiresAt must be a date such as 2030-01-31T12:00:00Z')
  if (end <= now) throw invalidRequest('expiresAt must lie in the future')
  return end
}

/** What a user token proves. */
export interface ProvenToken {
  readonly user: UserRecord
  readonly id: string
  readonly scopes: Scopes
}

/**
 * Whose token it is now.
 * @throws ServiceError `invalid_token` for one that is unknown, revoked or past its end, `feature_disabled`
 */
export async function userOfToken(
  service: Pick<Service, 'clock' | 'config' | 'store'>,
  token: string,
): Promise<ProvenToken> {
  requireUserTokens(service)
  if (!isUserToken(token)) throw invalidToken()
  const { store, clock } = service
  const now = clock.now()
  const { id, tokenHash } = userTokenKeys(token)
  const user = await store.tokens.findUser(id)
  // The id is a part of the hash. The rest is compared in a time that depends on nothing.
  if (user === undefined || !equalSecrets(tokenHash, user.tokenHash)) throw invalidToken()
  if (user.tokenExpireAt !== null && user.tokenExpireAt <= now) throw invalidToken()
  if (now - (user.tokenUsedAt ?? 0) >= usedStepMs)
    await unlessFull(
      store.tokens.used(id, now, user.tokenRenewal === null ? undefined : now + user.tokenRenewal),
    )
  return { user, id, scopes: readScopes(user.tokenScopes) }
}

/**
 * @param named id of the token, or the token
 * @throws ServiceError `token_not_found`
 */
export async function revokeToken(
  { store }: Pick<Service, 'store'>,
  userId: string,
  named: string,
): Promise<void> {
  const id = namedUserToken(named)
  if (id === undefined || !(await store.tokens.remove(userId, id))) throw tokenNotFound()
}

/** A token as its user sees it again: by its id and its beginning. */
export const describeToken = ({
  id,
  prefix,
  comment,
  scopes,
  createdAt,
  usedAt,
  expireAt,
}: TokenRecord): UserToken => ({
  id,
  token: `${prefix}…`,
  comment,
  ...(scopes !== null && { scopes: [...(readScopes(scopes) ?? [])] }),
  createdAt: new Date(createdAt).toISOString(),
  ...(expireAt !== null && { expiresAt: new Date(expireAt).toISOString() }),
  ...(usedAt !== null && { lastUsedAt: new Date(usedAt).toISOString() }),
})
