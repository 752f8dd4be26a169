import type { CliLoginApplicant, CliLoginStart, CliLoginState } from '@svc/contract'
import { limits, unlimited } from '@svc/contract'
import { hashSecret, matchesHash } from '../../auth/secrets.ts'
import { randomText } from '../../domain/ids.ts'
import type { CliLoginRecord, UserRecord } from '../../domain/records.ts'
import { codeNotFound, wrongSecret } from './account-errors.ts'
import { throttle, type Attempt } from './throttle.ts'
import { requireStorable } from '../../domain/text/storable-text.ts'
import type { Service } from '../service.ts'
import { insertToken, requireUserTokens } from './user-tokens.ts'
import { writeForUser } from './write-for-user.ts'

/** The letters of codes: no look-alikes, and no vowels, which could form words. */
const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

const secretLength = 32

/** The interval between two polls, in seconds. */
const interval = 2

/**
 * Starts a command-line login.
 * @param applicant the hostname and the network address of the computer
 * @param base address of the web application, with a trailing slash
 * @throws ServiceError `feature_disabled`, `invalid_request`
 */
export async function startCliLogin(
  service: Pick<Service, 'clock' | 'config' | 'random' | 'store'>,
  applicant: { readonly hostname: string; readonly address: string },
  base: string,
): Promise<CliLoginStart> {
  requireUserTokens(service)
  const { hostname, address } = applicant
  requireStorable('hostname', hostname)
  const { store, clock, random } = service
  const letters = randomText(random, 8, codeLetters)
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`
  const secret = randomText(random, secretLength)
  const now = clock.now()
  await store.cliLogins.insert({
    code,
    secretHash: hashSecret(secret),
    hostname,
    address,
    comment: '',
    userId: null,
    createdAt: now,
    expireAt: now + limits.cliLoginSeconds * 1000,
  })
  const verifyURL = `${base}#/cli-auth?code=${code}`
  return { code, secret, verifyURL, expiresIn: limits.cliLoginSeconds, interval }
}

/**
 * Describes the computer that waits for approval, so that the user can recognize it.
 * @throws ServiceError `code_not_found`, `too_many_attempts`, `feature_disabled`
 */
export async function describeCliLogin(
  service: Pick<Service, 'clock' | 'config' | 'store'>,
  user: UserRecord,
  code: string,
  address: string,
): Promise<CliLoginApplicant> {
  requireUserTokens(service)
  const { store, clock } = service
  let login: CliLoginRecord | undefined
  const isPending = await throttle(service, attemptBy(user, address), async () => {
    login = await store.cliLogins.find(code)
    return login?.userId === null && login.expireAt > clock.now()
  })
  if (!isPending || login === undefined) throw codeNotFound()
  return {
    hostname: login.hostname,
    address: login.address,
    createdAt: new Date(login.createdAt).toISOString(),
  }
}

/** The throttle allows for typing errors, and prevents guessing. */
const attemptBy = (user: UserRecord, address: string): Attempt => ({
  kind: 'command-line login',
  subject: user.id,
  address,
})

/**
 * Approves a command-line login for a user.
 * @throws ServiceError `code_not_found`, `too_many_attempts`, `feature_disabled`, `invalid_request`,
 * `invalid_session` when the user is deleted
 */
export async function approveCliLogin(
  service: Pick<Service, 'clock' | 'config' | 'store'>,
  user: UserRecord,
  { code, comment }: { readonly code: string; readonly comment?: string | undefined },
  address: string,
): Promise<void> {
  requireUserTokens(service)
  requireStorable('comment', comment ?? '')
  const { store, clock } = service
  const approved = await throttle(service, attemptBy(user, address), async () => {
    const login = await store.cliLogins.find(code)
    const text = comment === undefined || comment === '' ? `CLI login from ${login?.hostname ?? ''}` : comment
    const stored = Array.from(text).slice(0, limits.commentLength).join('')
    return writeForUser(service, user.id, () => store.cliLogins.approve(code, user.id, stored, clock.now()))
  })
  if (!approved) throw codeNotFound()
}

/**
 * Returns the state of a login, and its token once. The token expires `CliTokenTimeoutStr` after its last use.
 * @throws ServiceError `code_not_found`, `wrong_credentials`, `too_many_attempts`, `feature_disabled`
 */
export async function pollCliLogin(
  service: Service,
  { code, secret }: { readonly code: string; readonly secret: string },
  address: string,
): Promise<CliLoginState> {
  requireUserTokens(service)
  const { store, clock } = service
  const login = await store.cliLogins.find(code)
  if (login === undefined || login.expireAt <= clock.now() || !matchesHash(secret, login.secretHash)) {
    // Only wrong secrets count: the legitimate client polls every two seconds.
    const attempt = { kind: 'command-line login', subject: code, address } as const
    await throttle(service, attempt, () => Promise.resolve(false))
    throw login === undefined || login.expireAt <= clock.now() ? codeNotFound() : wrongSecret()
  }
  const { userId, comment } = login
  if (userId === null) return { status: 'pending' }
  await service.rowSpace.require()
  return store.transaction(async (transaction) => {
    if (!(await transaction.cliLogins.consume(code))) throw codeNotFound()
    const { cliTokenTimeout } = service.config.accounts
    const renewal = cliTokenTimeout === unlimited ? null : cliTokenTimeout * 1000
    const { token } = await insertToken({ ...service, store: transaction }, userId, { comment, renewal })
    return { status: 'approved', token }
  })
}
