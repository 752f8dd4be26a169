import { limits, type Session } from '@svc/contract'
import { wrongLogin } from '../../domain/errors.ts'
import { randomText } from '../../domain/ids.ts'
import type { UserRecord } from '../../domain/records.ts'
import type { SessionUser } from '../../metadata/accounts/sessions.ts'
import { ifWritable } from '../space/database-space.ts'
import { sessionNotFound } from './account-errors.ts'
import { requireUnchangedPassword } from './unchanged-password.ts'
import type { Accounts, Base, Metadata, Service } from '../service.ts'

const idLength = 32

/** The minimum interval between two updates of the last use: not every request writes a row. */
const lastUsedIntervalMs = 60_000

const userAgentLength = 256

/** The browser that signs in. */
export interface Browser {
  readonly userAgent: string
  readonly address: string
}

/** The session that a browser receives when a user signs in. */
export interface NewSession {
  readonly token: string
  readonly xsrf: string
  /** Seconds. */
  readonly lifetime: number
}

/**
 * Creates a session for a user, and ends the oldest one if the user has too many.
 * @param user as read at the password check: a session is denied if the password has changed since
 * @throws ServiceError `wrong_credentials`, `invalid_session` when the user is deleted
 */
export async function openSession(
  { store, sessionTokens, clock, random, config }: Accounts & Base & Metadata,
  user: UserRecord,
  browser: Browser,
): Promise<NewSession> {
  const now = clock.now()
  const lifetime = config.accounts.sessionTimeout
  const session = {
    id: randomText(random, idLength),
    userId: user.id,
    userAgent: browser.userAgent.slice(0, userAgentLength),
    address: browser.address,
    createdAt: now,
    usedAt: now,
    expireAt: now + lifetime * 1000,
  }
  await store.transaction(async (transaction) => {
    await requireUnchangedPassword(transaction, user, wrongLogin)
    await transaction.sessions.insert(session)
    await transaction.sessions.removeOldest(user.id, limits.sessionsPerUser)
  })
  return { ...(await sessionTokens.issue(session.id, session.expireAt)), lifetime }
}

/** The user of a session; null when the session has ended. */
export async function userOfSession(
  service: Pick<Service, 'clock' | 'databaseSpace' | 'store'>,
  id: string,
): Promise<SessionUser | null> {
  const { store, clock } = service
  const now = clock.now()
  const user = await store.sessions.findUser(id)
  if (user === undefined || user.sessionExpireAt <= now) return null
  if (now - user.sessionUsedAt >= lastUsedIntervalMs)
    await ifWritable(service, () => store.sessions.setLastUsed(id, now))
  return user
}

/** @param current id of the session of the request */
export async function listSessions(
  { store, clock }: Pick<Service, 'clock' | 'store'>,
  userId: string,
  current: string | null,
): Promise<Session[]> {
  const now = clock.now()
  const sessions = await store.sessions.list(userId, limits.sessionsPerUser)
  return sessions
    .filter(({ expireAt }) => expireAt > now)
    .map(({ id, userAgent, address, createdAt, usedAt, expireAt }) => ({
      id,
      current: id === current,
      userAgent,
      address,
      createdAt: new Date(createdAt).toISOString(),
      lastUsedAt: new Date(usedAt).toISOString(),
      expireAt: new Date(expireAt).toISOString(),
    }))
}

/** @throws ServiceError `session_not_found` */
export async function endSession(
  { store }: Pick<Service, 'store'>,
  userId: string,
  id: string,
): Promise<void> {
  if (!(await store.sessions.removeOf(userId, id))) throw sessionNotFound()
}
