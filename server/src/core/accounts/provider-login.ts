import type { LoginAttempt } from '../../auth/providers/provider.ts'
import { hashSecret } from '../../auth/secrets.ts'
import type { ForeignProvider } from '../../auth/providers/open-providers.ts'
import type { ProviderProfile, IdentityProvider } from '../../auth/providers/provider.ts'
import { loginFailed, loginRefused, routeNotFound } from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import { userID } from '../../domain/access/user-id.ts'
import type { Accounts, Base, Metadata, Service } from '../service.ts'
import { findUser, insertUser, newUser } from './users.ts'

/** How long somebody may take to sign in at a provider. */
const attemptMs = 10 * 60_000

/** What the browser keeps meanwhile is good for nothing but the end of this login. */
const purpose = (provider: ForeignProvider): string => `login ${provider}`

function providerOf({ providers }: Pick<Service, 'providers'>, name: ForeignProvider): IdentityProvider {
  const provider = providers[name]
  if (provider === undefined) throw routeNotFound('GET', `/auth/${name}/login`)
  return provider
}

/**
 * Begins a login at a provider.
 * @param callbackURL where the provider sends the browser back
 * @returns where to send the browser, and what it has to keep until it is back
 * @throws ServiceError `not_found` for a provider that is not configured, `unavailable`
 */
export async function beginProviderLogin(
  service: Pick<Service, 'clock' | 'providers' | 'sessionTokens'>,
  name: ForeignProvider,
  callbackURL: string,
): Promise<{ readonly consentURL: string; readonly kept: string; readonly lifetime: number }> {
  const { consentURL, attempt } = await providerOf(service, name).begin(callbackURL)
  const content = { ...attempt, callbackURL }
  const kept = await service.sessionTokens.seal(purpose(name), content, service.clock.now() + attemptMs)
  return { consentURL, kept, lifetime: attemptMs / 1000 }
}

/**
 * Ends a login at a provider: the user it was, created at the first login, with the provider's profile.
 * @param query of the address that the browser came back to, with its question mark
 * @param kept what the browser kept
 * @param mayJoin whether somebody new may sign up from where the request comes from
 * @throws ServiceError `login_failed`, `login_refused`, `unavailable`
 */
export async function endProviderLogin(
  service: Accounts & Base & Metadata,
  name: ForeignProvider,
  { query, kept, mayJoin }: { readonly query: string; readonly kept: string; readonly mayJoin: boolean },
): Promise<UserRecord> {
  const provider = providerOf(service, name)
  await service.rowSpace.require()
  const content = await service.sessionTokens.open(purpose(name), kept)
  if (content === null) throw loginFailed()
  const { callbackURL, ...attempt } = content as unknown as LoginAttempt & { readonly callbackURL: string }
  if (!(await isFirstEnd(service, attempt))) throw loginFailed()
  // The address that the login began with: what the browser claims to have reached is not asked.
  const profile = await provider.finish(new URL(callbackURL + query), attempt)
  return saveProfile(service, name, profile, mayJoin)
}

/** Whether a login ends for the first time: whoever copied its state and its cookie comes too late. */
function isFirstEnd(
  { store, clock }: Pick<Service, 'clock' | 'store'>,
  { state }: LoginAttempt,
): Promise<boolean> {
  return store.attempts.begin(hashSecret(`login ${state}`), clock.now() + attemptMs)
}

async function saveProfile(
  service: Pick<Service, 'clock' | 'store'>,
  name: ForeignProvider,
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
    const user = { ...newUser(service, name, profile.subject), ...fresh }
    if (await insertUser(service, user)) return user
  }
  // Of two accounts that sign in under one name at one moment, one is the first.
  return store.transaction(async (transaction) => {
    await transaction.users.lock(id)
    const user = await findUser({ store: transaction }, id)
    requireSameAccount(user, profile)
    await transaction.users.update(id, fresh)
    return { ...user, ...fresh }
  })
}

/**
 * E-mail addresses and logins are given away and taken over: the next person must not get what belongs to the last one.
 * @throws ServiceError `login_refused`; what it says stands in the log, for the admin
 */
function requireSameAccount(user: UserRecord, { issuer, accountId }: ProviderProfile): void {
  const sameIssuer = user.issuer === null || user.issuer === issuer
  if (sameIssuer && (user.accountId === null || user.accountId === accountId)) return
  const what = sameIssuer
    ? `another account of the provider (${said(user.accountId)}, now ${said(accountId)})`
    : `an account of another provider of the same name (${said(user.issuer)}, now ${said(issuer)})`
  const to = accountId === null ? '' : ` --to ${accountId}`
  throw loginRefused(
    `${user.id} belongs to ${what}. An admin who knows that it is the same person allows it: svcd user rebind ${user.id}${to}`,
  )
}

const said = (id: string | null): string => id ?? 'none'
