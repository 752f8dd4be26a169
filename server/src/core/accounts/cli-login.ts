import type { CliLoginApplicant, CliLoginStart, CliLoginState } from '@svc/contract'
import { limits, unlimited } from '@svc/contract'
import { hashSecret, isSecretOf } from '../../auth/secrets.ts'
import { codeNotFound, wrongSecret } from '../../domain/errors.ts'
import { randomText } from '../../domain/ids.ts'
import type { CliLoginRecord, UserRecord } from '../../domain/records.ts'
import { throttled, type Attempt } from './throttle.ts'
import { requireStorable } from '../../domain/storable-text.ts'
import type { Service } from '../service.ts'
import { insertToken, requireUserTokens } from './user-tokens.ts'
import { writeForUser } from './write-for-user.ts'

/** Without look-alikes, and without vowels that could make a word. */
const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

const secretLength = 32

/** Seconds between two polls. */
const interval = 2

/**
 * Begins a command-line login.
 * @param applicant what the computer calls itself, and the network address that it asks from
 * @param base address of the web application, with a slash at its end
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
 * Shows who waits for the approval of a code, so that a person can tell an own login from that of somebody else.
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
  const found = await throttled(service, guessBy(user, address), async () => {
    login = await store.cliLogins.find(code)
    return login?.userId === null && login.expireAt > clock.now()
  })
  if (!found || login === undefined) throw codeNotFound()
  return {
    hostname: login.hostname,
    address: login.address,
    createdAt: new Date(login.createdAt).toISOString(),
  }
}

/** A person may mistype a code, and not try them all. */
const guessBy = (user: UserRecord, address: string): Attempt => ({
  kind: 'command-line login',
  subject: user.id,
  address,
})

/**
 * Lets a command-line login act for a user.
 * @throws ServiceError `code_not_found`, `too_many_attempts`, `feature_disabled`, `invalid_request`, `invalid_session` when the user
 * is gone
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
  const approved = await throttled(service, guessBy(user, address), async () => {
    const login = await store.cliLogins.find(code)
    const told = comment === undefined || comment === '' ? `CLI login from ${login?.hostname ?? ''}` : comment
    const kept = Array.from(told).slice(0, limits.commentLength).join('')
    return writeForUser(service, user.id, () => store.cliLogins.approve(code, user.id, kept, clock.now()))
  })
  if (!approved) throw codeNotFound()
}

/**
 * Tells whether a login was approved, and gives its token out once. The token ends `CliTokenTimeoutStr` after its last use.
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
  if (login === undefined || login.expireAt <= clock.now() || !isSecretOf(secret, login.secretHash)) {
    // Only wrong ones count: whoever knows the secret asks every two seconds.
    const guess = { kind: 'command-line login', subject: code, address } as const
    await throttled(service, guess, () => Promise.resolve(false))
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
