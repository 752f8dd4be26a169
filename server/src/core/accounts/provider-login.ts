import type { LoginAttempt } from '../../auth/providers/provider.ts'
import { hashSecret } from '../../auth/secrets.ts'
import type { ExternalProvider } from '../../auth/providers/open-providers.ts'
import type { ProviderProfile, IdentityProvider } from '../../auth/providers/provider.ts'
import { loginFailed, loginRefused, ServiceError } from '../../domain/errors.ts'
import { routeNotFound } from '../../domain/not-found-errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import { userID } from '../../domain/access/user-id.ts'
import type { Accounts, Base, Metadata, Service } from '../service.ts'
import { throttle } from './throttle.ts'
import { findUser, insertUser, newUser } from './users.ts'

/** How long a login at a provider may take, in milliseconds. */
const attemptMs = 10 * 60_000

/** The purpose of the signed value in the browser, which is valid only for this login. */
const purpose = (provider: ExternalProvider): string => `login ${provider}`

function providerOf({ providers }: Pick<Service, 'providers'>, name: ExternalProvider): IdentityProvider {
  const provider = providers[name]
  if (provider === undefined) throw routeNotFound('GET', `/auth/${name}/login`)
  return provider
}

/**
 * Starts a login at a provider.
 * @param callbackURL the address to which the provider returns the browser
 * @returns the consent page, and the value that the browser stores until it returns
 * @throws ServiceError `not_found` for a provider that is not configured, `unavailable`
 */
export async function beginProviderLogin(
  service: Pick<Service, 'clock' | 'providers' | 'sessionTokens'>,
  name: ExternalProvider,
  callbackURL: string,
): Promise<{ readonly consentURL: string; readonly signedAttempt: string; readonly lifetime: number }> {
  const { consentURL, attempt } = await providerOf(service, name).begin(callbackURL)
  const content = { ...attempt, callbackURL }
  const signedAttempt = await service.sessionTokens.signValue(
    purpose(name),
    content,
    service.clock.now() + attemptMs,
  )
  return { consentURL, signedAttempt, lifetime: attemptMs / 1000 }
}

/** The request with which a browser returns from a provider. */
interface ProviderReturn {
  /** The query of the address to which the browser returned, with its question mark. */
  readonly query: string
  /** The value that the browser stored. */
  readonly signedAttempt: string
  /** The source address of the request. */
  readonly address: string
}

/**
 * Completes a login at a provider. Failed logins of a network are limited, because each costs a request to the provider.
 * @returns the user, created at the first login, with the provider's profile
 * @throws ServiceError `login_failed`, `login_refused`, `too_many_attempts`, `no_space`, `unavailable`
 */
export async function endProviderLogin(
  service: Accounts & Base & Metadata & Pick<Service, 'mayUploadFrom'>,
  name: ExternalProvider,
  { query, signedAttempt, address }: ProviderReturn,
): Promise<UserRecord> {
  const provider = providerOf(service, name)
  await service.rowSpace.requireForLogin()
  const content = await service.sessionTokens.verifyValue(purpose(name), signedAttempt)
  if (content === null) throw loginFailed()
  const { callbackURL, ...attempt } = content as unknown as LoginAttempt & { readonly callbackURL: string }
  // Uses the callback address of the start, because the address in the request is not trusted.
  const profile = await completeThrottled(service, { attempt, address }, () =>
    provider.finish(new URL(callbackURL + query), attempt),
  )
  return saveProfile(service, name, profile, service.mayUploadFrom(address))
}

/** @throws ServiceError `login_failed`, `too_many_attempts`, and the errors of `finish` */
async function completeThrottled(
  service: Pick<Service, 'clock' | 'store'>,
  { attempt, address }: { readonly attempt: LoginAttempt; readonly address: string },
  finish: () => Promise<ProviderProfile>,
): Promise<ProviderProfile> {
  let outcome: ProviderProfile | ServiceError = loginFailed()
  await throttle(service, { kind: 'provider login', subject: null, address }, async () => {
    if (!(await isFirstCompletion(service, attempt))) return false
    try {
      outcome = await finish()
      return true
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'login_failed') throw error
      outcome = error
      return false
    }
  })
  if (outcome instanceof ServiceError) throw outcome
  return outcome
}

/** Whether a login is completed for the first time. It prevents the reuse of a copied state and cookie. */
function isFirstCompletion(
  { store, clock }: Pick<Service, 'clock' | 'store'>,
  { state }: LoginAttempt,
): Promise<boolean> {
  return store.attempts.startWindow(hashSecret(`login ${state}`), clock.now() + attemptMs)
}

async function saveProfile(
  service: Pick<Service, 'clock' | 'rowSpace' | 'store'>,
  name: ExternalProvider,
  profile: ProviderProfile,
  mayJoin: boolean,
): Promise<UserRecord> {
  const { store } = service
  const id = userID(name, profile.subject)
  const fresh = {
    issuer: profile.issuer,
    login: profile.login,
    ...(profile.accountId !== null && { accountId: profile.accountId }),
    ...(profile.name !== '' && { name: profile.name }),
    ...(profile.email !== '' && { email: profile.email }),
  }
  if ((await store.users.find(id)) === undefined) {
    if (!mayJoin) throw loginRefused('new accounts are not accepted from your address')
    await service.rowSpace.require()
    const user = { ...newUser(service, name, profile.subject), ...fresh }
    if (await insertUser(service, user)) return user
  }
  // Another account with the same name may have signed in at the same time, so the lock comes before the check.
  return store.transaction(async (transaction) => {
    await transaction.users.lock(id)
    const user = await findUser({ store: transaction }, id)
    requireSameAccount(user, profile)
    await transaction.users.update(id, fresh)
    return { ...user, ...fresh }
  })
}

/**
 * Checks that a user signs in with the same account as before. Providers reassign email addresses and logins, and the
 * next holder must not get the uploads of the previous one.
 * @throws ServiceError `login_refused`; its message is for the admin, in the log
 */
function requireSameAccount(user: UserRecord, { issuer, accountId }: ProviderProfile): void {
  const sameIssuer = user.issuer === null || user.issuer === issuer
  if (sameIssuer && (user.accountId === null || user.accountId === accountId)) return
  const account = sameIssuer
    ? `another account of the provider (${accountText(user.accountId)}, now ${accountText(accountId)})`
    : `an account of another provider of the same name (${accountText(user.issuer)}, now ${accountText(issuer)})`
  const to = accountId === null ? '' : ` --to ${accountId}`
  throw loginRefused(
    `${user.id} belongs to ${account}. An admin who knows that it is the same person allows it: svcd user rebind ${user.id}${to}`,
  )
}

const accountText = (id: string | null): string => id ?? 'none'
