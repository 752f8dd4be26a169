import { limits } from '@svc/contract'
import { randomText } from '../../domain/ids.ts'
import { userID } from '../../domain/access/user-id.ts'
import type { Service } from '../service.ts'
import { insertUser, newUser } from './users.ts'

const passwordLength = 32

/**
 * Creates the admin that the configuration names, unless there is a user of this name (specification §5, rule 10).
 * @throws when the login or the password is of no use
 */
export async function ensureDefaultAdmin(
  service: Pick<Service, 'store' | 'clock' | 'random' | 'passwords' | 'log'> & {
    readonly config: Pick<Service['config'], 'accounts'>
  },
): Promise<void> {
  const { defaultAdmin } = service.config.accounts
  if (defaultAdmin === null) return
  const { login, password: given } = defaultAdmin
  if ((await service.store.users.find(userID('local', login))) !== undefined) return
  const password = given ?? randomText(service.random, passwordLength)
  const { userLoginMinLength, userLoginLength, userPasswordMinLength, userPasswordLength } = limits
  requireLength('DefaultAdminLogin', login, userLoginMinLength, userLoginLength)
  requireLength('DefaultAdminPassword', password, userPasswordMinLength, userPasswordLength)
  const passwordHash = await service.passwords.hash(password, { line: 'password change', network: '' })
  const created = await insertUser(service, { ...newUser(service, 'local', login), admin: 1, passwordHash })
  // Told here once, because nobody else knows it.
  if (created && given === null)
    service.log.warn({ login, password }, 'the default admin was created with this password')
}

function requireLength(key: string, value: string, least: number, most: number): void {
  const length = Array.from(value).length
  if (length < least || length > most)
    throw new Error(`${key} needs ${String(least)} to ${String(most)} characters`)
}
