import { networkOf } from '../../domain/access/addresses.ts'
import { wrongCurrentPassword, wrongLogin } from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import { userID } from '../../domain/access/user-id.ts'
import { throttled } from './throttle.ts'
import type { Service } from '../service.ts'

/**
 * The local user of a login and a password. An unknown login takes as long as a wrong password.
 * @throws ServiceError `wrong_credentials`, `too_many_attempts`, `unavailable`
 */
export async function checkLocalLogin(
  service: Pick<Service, 'clock' | 'passwords' | 'store'>,
  { login, password }: { readonly login: string; readonly password: string },
  address: string,
): Promise<UserRecord> {
  let user: UserRecord | undefined
  const turn = { line: 'login', network: networkOf(address) } as const
  const isRight = await throttled(service, { kind: 'login', subject: login, address }, async () => {
    user = await service.store.users.find(userID('local', login))
    return service.passwords.verify(password, user?.passwordHash ?? null, turn)
  })
  if (!isRight || user === undefined) throw wrongLogin()
  return user
}

/**
 * Makes sure that whoever is signed in knows the password, too.
 * @throws ServiceError `wrong_credentials`, `too_many_attempts`, `unavailable`
 */
export async function checkCurrentPassword(
  service: Pick<Service, 'clock' | 'passwords' | 'store'>,
  user: UserRecord,
  password: string,
  address: string,
): Promise<void> {
  const guess = { kind: 'login', subject: user.login, address } as const
  const turn = { line: 'password change', network: networkOf(address) } as const
  const judge = () => service.passwords.verify(password, user.passwordHash, turn)
  if (!(await throttled(service, guess, judge))) throw wrongCurrentPassword()
}
