import { networkOf } from '../../domain/access/addresses.ts'
import { wrongCurrentPassword, wrongLogin } from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import { userID } from '../../domain/access/user-id.ts'
import { throttled } from './throttle.ts'
import type { Service } from '../service.ts'

/**
 * Finds the local user of a login and a password. An unknown login takes as long as a wrong password.
 * @throws ServiceError `wrong_credentials`, `too_many_attempts`, `unavailable`
 */
export async function checkLocalLogin(
  service: Pick<Service, 'clock' | 'passwords' | 'store'>,
  { login, password }: { readonly login: string; readonly password: string },
  address: string,
): Promise<UserRecord> {
  let user: UserRecord | undefined
  const entry = { queue: 'login', network: networkOf(address) } as const
  const isCorrect = await throttled(service, { kind: 'login', subject: login, address }, async () => {
    user = await service.store.users.find(userID('local', login))
    return service.passwords.verify(password, user?.passwordHash ?? null, entry)
  })
  if (!isCorrect || user === undefined) throw wrongLogin()
  return user
}

/**
 * Checks the current password of a signed-in user.
 * @throws ServiceError `wrong_credentials`, `too_many_attempts`, `unavailable`
 */
export async function checkCurrentPassword(
  service: Pick<Service, 'clock' | 'passwords' | 'store'>,
  user: UserRecord,
  password: string,
  address: string,
): Promise<void> {
  const attempt = { kind: 'login', subject: user.login, address } as const
  const entry = { queue: 'password change', network: networkOf(address) } as const
  const verify = () => service.passwords.verify(password, user.passwordHash, entry)
  if (!(await throttled(service, attempt, verify))) throw wrongCurrentPassword()
}
