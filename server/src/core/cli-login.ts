import type { CliLoginStart, CliLoginState } from '@svc/contract'
import { limits } from '@svc/contract'
import { hashSecret, isSecretOf } from '../auth/secrets.ts'
import { codeNotFound, wrongSecret } from '../domain/errors.ts'
import { randomText } from '../domain/ids.ts'
import type { UserRecord } from '../domain/records.ts'
import { judgeGuess } from './guessing.ts'
import { requireKept } from './kept-text.ts'
import type { Service } from './service.ts'
import { insertToken, requireUserTokens } from './user-tokens.ts'
import { writeForUser } from './write-for-user.ts'

/** Without look-alikes, and without vowels that could make a word. */
const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

const secretLength = 32

/** Seconds between two polls. */
const interval = 2

/**
 * Begins a command-line login.
 * @param base address of the web application, with a slash at its end
 * @throws ServiceError `feature_disabled`, `invalid_request`
 */
export async function startCliLogin(
  service: Service,
  hostname: string,
  base: string,
): Promise<CliLoginStart> {
  requireUserTokens(service)
  requireKept('hostname', hostname)
  const { store, clock, random } = service
  const letters = randomText(random, 8, codeLetters)
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`
  const secret = randomText(random, secretLength)
  const now = clock.now()
  await store.cliLogins.insert({
    code,
    secretHash: hashSecret(secret),
    hostname,
    comment: '',
    userId: null,
    createdAt: now,
    expireAt: now + limits.cliLoginSeconds * 1000,
  })
  const verifyURL = `${base}#/cli-auth?code=${code}`
  return { code, secret, verifyURL, expiresIn: limits.cliLoginSeconds, interval }
}

/**
 * Lets a command-line login act for a user.
 * @throws ServiceError `code_not_found`, `too_many_attempts`, `feature_disabled`, `invalid_request`, `invalid_session` when the user
 * is gone
 */
export async function approveCliLogin(
  service: Service,
  user: UserRecord,
  { code, comment }: { readonly code: string; readonly comment?: string | undefined },
  address: string,
): Promise<void> {
  requireUserTokens(service)
  requireKept('comment', comment ?? '')
  const { store, clock } = service
  const guess = { kind: 'command-line login', subject: user.id, address } as const
  const approved = await judgeGuess(service, guess, async () => {
    const login = await store.cliLogins.find(code)
    const told = comment === undefined || comment === '' ? `CLI login from ${login?.hostname ?? ''}` : comment
    const kept = Array.from(told).slice(0, limits.commentLength).join('')
    return writeForUser(service, user.id, () => store.cliLogins.approve(code, user.id, kept, clock.now()))
  })
  if (!approved) throw codeNotFound()
}

/**
 * Tells whether a login was approved, and gives its token out once.
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
    await judgeGuess(service, guess, () => Promise.resolve(false))
    throw login === undefined || login.expireAt <= clock.now() ? codeNotFound() : wrongSecret()
  }
  const { userId, comment } = login
  if (userId === null) return { status: 'pending' }
  await service.rowSpace.require()
  return store.transaction(async (transaction) => {
    if (!(await transaction.cliLogins.consume(code))) throw codeNotFound()
    const { token } = await insertToken({ ...service, store: transaction }, userId, { comment })
    return { status: 'approved', token }
  })
}
