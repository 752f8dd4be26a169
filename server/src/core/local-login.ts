import { wrongCurrentPassword, wrongLogin } from '../domain/errors.ts'
import type { UserRecord } from '../domain/records.ts'
import { userID } from '../domain/user-id.ts'
import { countGuess } from './guessing.ts'
import type { Service } from './service.ts'

/**
 * The local user of a login and a password. An unknown login takes as long as a wrong password.
 * @throws ServiceError `wrong_credentials`, `too_many_attempts`, `unavailable`
 */
export async function checkLocalLogin(
  service: Service,
  { login, password }: { readonly login: string; readonly password: string },
  address: string,
): Promise<UserRecord> {
  const right = await countGuess(service, { kind: 'login', subject: login, address })
  const user = await service.store.users.find(userID('local', login))
  if (!(await service.passwords.verify(password, user?.passwordHash ?? null)) || user === undefined)
    throw wrongLogin()
  await right()
  return user
}

/**
 * Makes sure that whoever is signed in knows the password, too.
 * @throws ServiceError `wrong_credentials`, `too_many_attempts`, `unavailable`
 */
export async function checkCurrentPassword(
  service: Service,
  user: UserRecord,
  password: string,
  address: string,
): Promise<void> {
  const right = await countGuess(service, { kind: 'login', subject: user.login, address })
  if (!(await service.passwords.verify(password, user.passwordHash))) throw wrongCurrentPassword()
  await right()
}
