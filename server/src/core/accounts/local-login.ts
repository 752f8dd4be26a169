import { isBcrypt } from '../../auth/imported-hashes.ts'
import { isTooCostly, type PasswordQueueEntry } from '../../auth/passwords.ts'
import { networkOf } from '../../domain/access/addresses.ts'
import { wrongLogin } from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import { userID } from '../../domain/access/user-id.ts'
import { wrongCurrentPassword } from './account-errors.ts'
import { throttle } from './throttle.ts'
import type { Service } from '../service.ts'

/**
 * Finds the local user of a login and a password. An unknown login takes as long as a wrong password.
 * @throws ServiceError `wrong_credentials`, `too_many_attempts`, `unavailable`
 */
export async function checkLocalLogin(
  service: Pick<Service, 'clock' | 'log' | 'passwords' | 'store'>,
  { login, password }: { readonly login: string; readonly password: string },
  address: string,
): Promise<UserRecord> {
  let user: UserRecord | undefined
  const entry = { queue: 'login', network: networkOf(address) } as const
  const isCorrect = await throttle(service, { kind: 'login', subject: login, address }, async () => {
    user = await service.store.users.find(userID('local', login))
    return verify(service, user, password, entry)
  })
  if (!isCorrect || user === undefined) throw wrongLogin()
  return isBcrypt(user.passwordHash ?? '') ? withPresentHash(service, user, password) : user
}

/**
 * Replaces a hash that was imported by one of this service.
 * @param user as read before the verification: another request may have changed the password in the meantime
 */
async function withPresentHash(
  { passwords, store }: Pick<Service, 'passwords' | 'store'>,
  user: UserRecord,
  password: string,
): Promise<UserRecord> {
  const entry = { queue: 'login', network: user.id } as const
  const passwordHash = await passwords.hash(password, entry)
  const current = await store.transaction(async (transaction) => {
    await transaction.users.lock(user.id)
    const found = await transaction.users.find(user.id)
    if (found?.passwordHash !== user.passwordHash) return found
    await transaction.users.update(user.id, { passwordHash })
    return { ...user, passwordHash }
  })
  if (current === undefined) throw wrongLogin()
  if (
    current.passwordHash !== passwordHash &&
    !(await passwords.verify(password, current.passwordHash, entry))
  )
    throw wrongLogin()
  return current
}

/**
 * Checks the current password of a signed-in user.
 * @throws ServiceError `wrong_credentials`, `too_many_attempts`, `unavailable`
 */
export async function checkCurrentPassword(
  service: Pick<Service, 'clock' | 'log' | 'passwords' | 'store'>,
  user: UserRecord,
  password: string,
  address: string,
): Promise<void> {
  const attempt = { kind: 'login', subject: user.login, address } as const
  const entry = { queue: 'password change', network: networkOf(address) } as const
  const isCorrect = await throttle(service, attempt, () => verify(service, user, password, entry))
  if (!isCorrect) throw wrongCurrentPassword()
}

/** An admin finds in the log what a user whose hash is not verified needs. */
function verify(
  { passwords, log }: Pick<Service, 'log' | 'passwords'>,
  user: UserRecord | undefined,
  password: string,
  entry: PasswordQueueEntry,
): Promise<boolean> {
  const hash = user?.passwordHash ?? null
  if (user !== undefined && hash !== null && isTooCostly(hash))
    log.warn(
      { user: user.id },
      `an imported password hash costs too much to verify: svcd user update ${user.login} --password sets another password`,
    )
  return passwords.verify(password, hash, entry)
}
