import type { NewUser, Provider, User, UserUpdate } from '@svc/contract'
import { subjectOf } from '../../auth/providers/subject.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { bit, type UserRecord } from '../../domain/records.ts'
import { userID } from '../../domain/access/user-id.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import type { UserChanges } from '../../metadata/accounts/users.ts'
import { requireSafeInteger } from '../../domain/storable-number.ts'
import { requireLine } from '../../domain/text/storable-text.ts'
import { removeFewUploads } from '../removal/mass-removal.ts'
import { backgroundThreshold } from '../removal/remove-batch.ts'
import { lastAdmin, userExists, userNotFound, wrongCurrentPassword } from './account-errors.ts'
import { requireUnchangedPassword } from './unchanged-password.ts'
import { requireDistinctLogin, requireLogin, requireUserText } from './user-texts.ts'
import type { Service } from '../service.ts'

/** Admins and commands share one network in the queue, because they are few. */
const adminQueueEntry = { queue: 'password change', network: '' } as const

/** The public description of a user, without password and issuer. */
export const describeUser = (user: UserRecord): User => ({
  id: user.id,
  provider: user.provider,
  login: user.login,
  name: user.name,
  email: user.email,
  theme: user.theme,
  language: user.language,
  admin: user.admin === 1,
  maxFileSize: user.maxFileSize,
  maxUserSize: user.maxUserSize,
  maxTTL: user.maxTTL,
  createdAt: new Date(user.createdAt).toISOString(),
})

/**
 * The row of a new user.
 * @param subject the name of the user at the provider
 */
export const newUser = (
  { clock }: Pick<Service, 'clock'>,
  provider: Provider,
  subject: string,
): UserRecord => ({
  id: userID(provider, subject),
  provider,
  issuer: null,
  accountId: null,
  login: subject,
  name: '',
  email: '',
  passwordHash: null,
  admin: 0,
  maxFileSize: 0,
  maxUserSize: 0,
  maxTTL: 0,
  theme: '',
  language: '',
  usedSize: 0,
  createdAt: clock.now(),
  generation: 0,
  removedAt: null,
})

/**
 * Creates a user for an admin. The id of a user of a provider contains the name that the provider uses for the person.
 * @throws ServiceError `invalid_request`, `user_exists`
 */
export async function createUser(
  service: Pick<Service, 'clock' | 'passwords' | 'store'>,
  { provider, login, password, admin = false, ...profile }: NewUser,
): Promise<UserRecord> {
  requireLogin(login)
  if (provider === 'local') requireDistinctLogin(login)
  if (provider === 'local' && password === undefined) throw invalidRequest('a local user needs a password')
  if (provider !== 'local' && password !== undefined)
    throw invalidRequest(`users of ${provider} sign in there and have no password here`)
  const user: UserRecord = {
    ...newUser(service, provider, subjectOf(provider, login)),
    login,
    ...plainChanges(profile),
    admin: bit(admin),
    passwordHash: password === undefined ? null : await service.passwords.hash(password, adminQueueEntry),
  }
  if (!(await insertUser(service, user))) throw userExists(user.id)
  return user
}

/** @returns false when a user with this id exists; that user stays unchanged */
export async function insertUser({ store }: Pick<Service, 'store'>, user: UserRecord): Promise<boolean> {
  if ((await store.users.find(user.id)) !== undefined) return false
  try {
    await store.transaction(async (transaction) => {
      await transaction.users.insert(user)
      await transaction.totals.addUsers(1)
    })
    return true
  } catch (error) {
    // Another request may have created the user in the meantime.
    if ((await store.users.find(user.id)) === undefined) throw error
    return false
  }
}

/** @throws ServiceError `user_not_found` */
export async function findUser({ store }: Pick<Service, 'store'>, id: string): Promise<UserRecord> {
  const user = await store.users.find(id)
  if (user === undefined) throw userNotFound()
  return user
}

/**
 * Changes a user for an admin. A new password ends all sessions and tokens, because a holder of the old one may
 * have created some.
 * @throws ServiceError `invalid_request`, `user_not_found`, `last_admin`
 */
export async function updateUser(
  service: Pick<Service, 'passwords' | 'store'>,
  user: UserRecord,
  { id, password, admin, ...profile }: UserUpdate,
): Promise<UserRecord> {
  if (id !== undefined && id !== user.id) throw invalidRequest('the id of a user cannot be changed')
  if (password !== undefined && user.provider !== 'local')
    throw invalidRequest(`users of ${user.provider} sign in there and have no password here`)
  const changes: UserChanges = {
    ...plainChanges(profile),
    ...(admin !== undefined && { admin: bit(admin) }),
    ...(password !== undefined && { passwordHash: await service.passwords.hash(password, adminQueueEntry) }),
  }
  await saveChanges(service, user, changes)
  return { ...user, ...changes }
}

/**
 * Sets a new password after a check of the current one. All other sessions end, and on request all tokens.
 * @param user as read at the check: if the password has changed since, it stays
 * @throws ServiceError `wrong_credentials`, `unavailable`, `invalid_session` when the user is deleted
 */
export async function changePassword(
  { store, passwords }: Pick<Service, 'passwords' | 'store'>,
  user: UserRecord,
  password: string,
  { session, revokeTokens }: { readonly session: string | null; readonly revokeTokens: boolean },
): Promise<void> {
  const passwordHash = await passwords.hash(password, { queue: 'password change', network: user.id })
  await store.transaction(async (transaction) => {
    await requireUnchangedPassword(transaction, user, wrongCurrentPassword)
    await transaction.users.update(user.id, { passwordHash })
    await transaction.sessions.removeOthers(user.id, session)
    if (revokeTokens) await removeTokens(transaction, user)
  })
}

async function saveChanges(
  { store }: Pick<Service, 'store'>,
  user: UserRecord,
  changes: UserChanges,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await store.transaction(async (transaction) => {
    if (changes.admin === 0) await requireOtherAdmin(transaction, user)
    if (!(await transaction.users.update(user.id, changes))) throw userNotFound()
    if (changes.passwordHash === undefined) return
    await transaction.sessions.removeOthers(user.id, null)
    await removeTokens(transaction, user)
  })
}

/** Revokes all tokens, including those that a command line has not fetched yet. */
async function removeTokens(transaction: MetadataStore, { id }: UserRecord): Promise<void> {
  await transaction.tokens.removeAll(id)
  await transaction.cliLogins.removeApproved(id)
}

/**
 * Allows another account of the provider to sign in as a user, and ends the sessions and tokens of the previous
 * one.
 * @param accountId the account id at the provider; null: the next account of this name that signs in
 * @throws ServiceError `invalid_request` for a local user, `user_not_found`
 */
export async function rebindUser(
  { store }: Pick<Service, 'store'>,
  user: UserRecord,
  accountId: string | null,
): Promise<void> {
  if (user.provider === 'local')
    throw invalidRequest('a local user signs in with a password, and has no account of a provider')
  await store.transaction(async (transaction) => {
    if (!(await transaction.users.update(user.id, { issuer: null, accountId }))) throw userNotFound()
    await transaction.sessions.removeOthers(user.id, null)
    await removeTokens(transaction, user)
  })
}

/**
 * Deletes a user with all uploads, sessions and tokens. They are hidden at once; the rows of many uploads are changed
 * in the background.
 * @throws ServiceError `user_not_found`, `last_admin`
 */
export async function removeUser(
  service: Pick<Service, 'cleanupRequests' | 'clock' | 'store'>,
  user: UserRecord,
): Promise<void> {
  if (await hasManyUploads(service, user)) {
    await retireUser(service, user)
    return
  }
  // Revokes the admin rights first: two admins who delete each other cannot both lose their uploads.
  await saveChanges(service, user, { admin: 0 })
  do
    if (!(await removeFewUploads(service, user.id))) {
      await retireUser(service, user)
      return
    }
  while (!(await removeWithoutUploads(service, user)))
}

/** Hides the account at once; its rows are deleted in the background. */
async function retireUser(
  service: Pick<Service, 'cleanupRequests' | 'clock' | 'store'>,
  user: UserRecord,
): Promise<void> {
  const { store, clock } = service
  await store.transaction(async (transaction) => {
    await requireOtherAdmin(transaction, user)
    if (!(await transaction.users.replaceWithTombstone(user.id, clock.now()))) throw userNotFound()
    await transaction.removals.mark(user.id, clock.now())
    await transaction.totals.addUsers(-1)
  })
  service.cleanupRequests.request()
}

/** Whether the user has too many uploads for an immediate removal. Removed ones count, too. */
const hasManyUploads = async ({ store }: Pick<Service, 'store'>, { id }: UserRecord): Promise<boolean> =>
  (await store.uploadBatches.of(id, backgroundThreshold)).length === backgroundThreshold

/** @returns false when a new upload must be removed first */
function removeWithoutUploads({ store }: Pick<Service, 'store'>, { id }: UserRecord): Promise<boolean> {
  return store.transaction(async (transaction) => {
    // An upload that is created after this check loses only its owner.
    await transaction.users.lock(id)
    if ((await transaction.uploads.idsOf(id, 1)).length > 0) return false
    if (!(await transaction.users.remove(id))) throw userNotFound()
    await transaction.totals.remove(id)
    await transaction.totals.addUsers(-1)
    return true
  })
}

async function requireOtherAdmin(transaction: MetadataStore, { id }: UserRecord): Promise<void> {
  const admins = await transaction.users.lockAdmins()
  const current = await transaction.users.find(id)
  if (current?.admin === 1 && admins === 1) throw lastAdmin()
}

const texts = ['name', 'email', 'theme', 'language'] as const
const quotas = ['maxFileSize', 'maxUserSize', 'maxTTL'] as const

type PlainChanges = Partial<Pick<UserRecord, (typeof texts | typeof quotas)[number]>>

/** Selects the plain fields of an update, and rejects values that a database would change. */
function plainChanges(changes: PlainChanges): PlainChanges {
  for (const name of texts) requireUserText(name, changes[name] ?? '')
  // Other people read it: in emails and lists.
  requireLine('name', changes.name ?? '')
  for (const name of quotas) requireSafeInteger(name, changes[name] ?? 0)
  const named = [...texts, ...quotas].filter((name) => changes[name] !== undefined)
  return Object.fromEntries(named.map((name) => [name, changes[name]]))
}
