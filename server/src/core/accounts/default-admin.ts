import { limits } from '@svc/contract'
import { randomText } from '../../domain/ids.ts'
import { userID } from '../../domain/access/user-id.ts'
import type { Service } from '../service.ts'
import { insertUser, newUser } from './users.ts'

const passwordLength = 32

/**
 * Creates the admin of the configuration, unless a user of this name exists (docs/protocol.md#authentication).
 * @throws when the login or the password has an invalid length
 */
export async function ensureDefaultAdmin(
  service: Pick<Service, 'store' | 'clock' | 'random' | 'passwords' | 'log'> & {
    readonly config: Pick<Service['config'], 'accounts'>
  },
): Promise<void> {
  const { defaultAdmin } = service.config.accounts
  if (defaultAdmin === null) return
  const { login, password: configured } = defaultAdmin
  if ((await service.store.users.find(userID('local', login))) !== undefined) return
  const password = configured ?? randomText(service.random, passwordLength)
  const { userLoginMinLength, userLoginLength, userPasswordMinLength, userPasswordLength } = limits
  requireLength('DefaultAdminLogin', login, userLoginMinLength, userLoginLength)
  requireLength('DefaultAdminPassword', password, userPasswordMinLength, userPasswordLength)
  const passwordHash = await service.passwords.hash(password, { queue: 'password change', network: '' })
  const created = await insertUser(service, { ...newUser(service, 'local', login), admin: 1, passwordHash })
  // The log is the only place that shows the generated password.
  if (created && configured === null)
    service.log.warn({ login, password }, 'the default admin was created with this password')
}

function requireLength(key: string, value: string, min: number, max: number): void {
  const length = Array.from(value).length
  if (length < min || length > max)
    throw new Error(`${key} needs ${String(min)} to ${String(max)} characters`)
}
