import { isUserToken, userToken, type NewUserToken, type UserToken } from '@svc/contract'
import { featureDisabled, invalidRequest, invalidToken, tokenNotFound } from '../domain/errors.ts'
import { randomText } from '../domain/ids.ts'
import type { TokenRecord, UserRecord } from '../domain/records.ts'
import { unlessFull } from './database-space.ts'
import { requireKept } from './kept-text.ts'
import type { Service } from './service.ts'
import { writeForUser } from './write-for-user.ts'

const randomLength = 30

/** The last use is kept to the minute: reading must not become writing. */
const usedStepMs = 60_000

/** @throws ServiceError `feature_disabled` where there are no user tokens */
export function requireUserTokens({ config }: Service): void {
  if (config.features.feature_api_tokens === 'disabled') throw featureDisabled('the use of tokens')
}

/** @throws ServiceError `feature_disabled`, `invalid_request`, `invalid_session` when the user is gone */
export const createToken = (service: Service, userId: string, given: NewUserToken): Promise<UserToken> =>
  writeForUser(service, userId, () => insertToken(service, userId, given))

/** The same in a transaction that has changed what belongs to the user: until its end, the user cannot be deleted. */
export async function insertToken(
  service: Service,
  userId: string,
  { comment = '', expiresAt }: NewUserToken,
): Promise<UserToken> {
  requireUserTokens(service)
  requireKept('comment', comment)
  const { store, clock, random } = service
  const token: TokenRecord = {
    token: userToken(randomText(random, randomLength)),
    userId,
    comment,
    createdAt: clock.now(),
    usedAt: null,
    expireAt: expiresAt === undefined ? null : endOfToken(expiresAt, clock.now()),
  }
  await store.tokens.insert(token)
  return describeToken(token)
}

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

/**
 * Whose token it is now.
 * @throws ServiceError `invalid_token` for one that is unknown, revoked or past its end, `feature_disabled`
 */
export async function userOfToken(service: Service, token: string): Promise<UserRecord> {
  requireUserTokens(service)
  const { store, clock } = service
  const now = clock.now()
  const user = isUserToken(token) ? await store.tokens.findUser(token) : undefined
  if (user === undefined || (user.tokenExpireAt !== null && user.tokenExpireAt <= now)) throw invalidToken()
  if (now - (user.tokenUsedAt ?? 0) >= usedStepMs) await unlessFull(store.tokens.used(token, now))
  return user
}

/** @throws ServiceError `token_not_found` */
export async function revokeToken({ store }: Service, userId: string, token: string): Promise<void> {
  if (!isUserToken(token) || !(await store.tokens.remove(userId, token))) throw tokenNotFound()
}

export const describeToken = ({ token, comment, createdAt, usedAt, expireAt }: TokenRecord): UserToken => ({
  token,
  comment,
  createdAt: new Date(createdAt).toISOString(),
  ...(expireAt !== null && { expiresAt: new Date(expireAt).toISOString() }),
  ...(usedAt !== null && { lastUsedAt: new Date(usedAt).toISOString() }),
})
