import { isUserToken, limits, userToken, type NewUserToken, type UserToken } from '@svc/contract'
import { equalSecrets } from '../../auth/secrets.ts'
import { parseScopes, serializeScopes, type Scopes } from '../../domain/access/access.ts'
import { featureDisabled, invalidRequest, invalidToken } from '../../domain/errors.ts'
import { randomText } from '../../domain/ids.ts'
import type { TokenRecord, UserRecord } from '../../domain/records.ts'
import { ifWritable } from '../space/database-space.ts'
import { userTokenIdFrom, userTokenKeys } from '../../domain/user-token-keys.ts'
import { requireStorable } from '../../domain/text/storable-text.ts'
import type { Service } from '../service.ts'
import { tokenNotFound, tooManyTokens } from './account-errors.ts'
import { writeForUser } from './write-for-user.ts'

const randomLength = 30

/** The minimum interval between two updates of the last use: not every request writes a row. */
const lastUsedIntervalMs = 60_000

/** @throws ServiceError `feature_disabled` when user tokens are disabled */
export function requireUserTokens({ config }: Pick<Service, 'config'>): void {
  if (config.features.feature_api_tokens === 'disabled') throw featureDisabled('the use of tokens')
}

/**
 * Creates a token. Only this result contains the whole token.
 * @throws ServiceError `feature_disabled`, `invalid_request`, `too_many_tokens`, `invalid_session` when the user is deleted
 */
export const createToken = (
  service: Pick<Service, 'clock' | 'config' | 'random' | 'store'>,
  userId: string,
  options: NewUserToken,
): Promise<UserToken> => writeForUser(service, userId, () => insertToken(service, userId, options))

/** A token for the command line, whose expiry is extended by every use. */
export interface RenewedToken {
  readonly comment: string
  /** The milliseconds from the last use to the expiry; null for no expiry. */
  readonly renewal: number | null
}

/**
 * Creates a token in a transaction that has changed a row of the user, which prevents the deletion of the user until
 * the transaction ends.
 */
export async function insertToken(
  service: Pick<Service, 'clock' | 'config' | 'random' | 'store'>,
  userId: string,
  options: NewUserToken | RenewedToken,
): Promise<UserToken> {
  requireUserTokens(service)
  const { comment = '' } = options
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
    ...('renewal' in options ? renewedFrom(now, options) : limitsOf(now, options)),
  }
  await requireFreeToken(service, userId, now)
  await store.tokens.insert(row)
  return { ...describeToken(row), token }
}

/** Checks the limit of tokens. Expired ones do not count. Parallel requests can exceed the limit by their number. */
async function requireFreeToken({ store: { tokens } }: Pick<Service, 'store'>, userId: string, now: number) {
  const isFull = async () => (await tokens.count(userId)) >= limits.tokensPerUser
  if (!(await isFull())) return
  await tokens.removeExpired(userId, now)
  if (await isFull()) throw tooManyTokens(limits.tokensPerUser)
}

type Limits = Pick<TokenRecord, 'scopes' | 'expireAt' | 'renewal'>

const renewedFrom = (now: number, { renewal }: RenewedToken): Limits => ({
  scopes: null,
  expireAt: renewal === null ? null : now + renewal,
  renewal,
})

const limitsOf = (now: number, { scopes, expiresAt }: NewUserToken): Limits => ({
  scopes: serializeScopes(scopes),
  expireAt: expiresAt === undefined ? null : expiryOf(expiresAt, now),
  renewal: null,
})

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

/** Whether a date exists: JavaScript turns February 30 into a day of March. */
function isDay(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
}

function expiryOf(text: string, now: number): number {
  const end = rfc3339.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(end)) throw invalidRequest('expiresAt must be a date such as 2030-01-31T12:00:00Z')
  if (end <= now) throw invalidRequest('expiresAt must be in the future')
  return end
}

/** A verified user token. */
export interface VerifiedToken {
  readonly user: UserRecord
  readonly id: string
  readonly scopes: Scopes
}

/**
 * Verifies a user token.
 * @throws ServiceError `invalid_token` for a token that is unknown, revoked or expired, `feature_disabled`
 */
export async function userOfToken(
  service: Pick<Service, 'clock' | 'config' | 'databaseSpace' | 'store'>,
  token: string,
): Promise<VerifiedToken> {
  requireUserTokens(service)
  if (!isUserToken(token)) throw invalidToken()
  const { store, clock } = service
  const now = clock.now()
  const { id, tokenHash } = userTokenKeys(token)
  const user = await store.tokens.findUser(id)
  // The id is part of the hash. The rest is compared in constant time.
  if (user === undefined || !equalSecrets(tokenHash, user.tokenHash)) throw invalidToken()
  if (user.tokenExpireAt !== null && user.tokenExpireAt <= now) throw invalidToken()
  if (now - (user.tokenUsedAt ?? 0) >= lastUsedIntervalMs)
    await ifWritable(service, () =>
      store.tokens.setLastUsed(id, now, user.tokenRenewal === null ? undefined : now + user.tokenRenewal),
    )
  return { user, id, scopes: parseScopes(user.tokenScopes) }
}

/**
 * @param idOrToken id of the token, or the token
 * @throws ServiceError `token_not_found`
 */
export async function revokeToken(
  { store }: Pick<Service, 'store'>,
  userId: string,
  idOrToken: string,
): Promise<void> {
  const id = userTokenIdFrom(idOrToken)
  if (id === undefined || !(await store.tokens.remove(userId, id))) throw tokenNotFound()
}

/** The description of a token for its user, with its id and its start. */
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
  ...(scopes !== null && { scopes: [...(parseScopes(scopes) ?? [])] }),
  createdAt: new Date(createdAt).toISOString(),
  ...(expireAt !== null && { expiresAt: new Date(expireAt).toISOString() }),
  ...(usedAt !== null && { lastUsedAt: new Date(usedAt).toISOString() }),
})
