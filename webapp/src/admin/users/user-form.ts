import type { NewUser, Provider, User, UserUpdate } from '@svc/contract'

/** The fields of a user that an admin can set; an invalid limit is undefined. */
export interface UserForm {
  readonly provider: Provider
  readonly login: string
  readonly password: string
  readonly name: string
  readonly email: string
  readonly admin: boolean
  readonly maxFileSize: number | undefined
  readonly maxUserSize: number | undefined
  readonly maxTTL: number | undefined
}

export const emptyForm: UserForm = {
  provider: 'local',
  login: '',
  password: '',
  name: '',
  email: '',
  admin: false,
  maxFileSize: 0,
  maxUserSize: 0,
  maxTTL: 0,
}

export const formOf = ({
  provider,
  login,
  name,
  email,
  admin,
  maxFileSize,
  maxUserSize,
  maxTTL,
}: User): UserForm => ({
  provider,
  login,
  password: '',
  name,
  email,
  admin,
  maxFileSize,
  maxUserSize,
  maxTTL,
})

interface Limits {
  readonly maxFileSize: number
  readonly maxUserSize: number
  readonly maxTTL: number
}

function limitsOf({ maxFileSize, maxUserSize, maxTTL }: UserForm): Limits | undefined {
  if (maxFileSize === undefined || maxUserSize === undefined || maxTTL === undefined) return undefined
  return { maxFileSize, maxUserSize, maxTTL }
}

/** The request that creates a user; undefined while a limit is invalid. */
export function newUserOf(form: UserForm): NewUser | undefined {
  const limits = limitsOf(form)
  if (!limits) return undefined
  const { provider, login, password, name, email, admin } = form
  return {
    provider,
    login: login.trim(),
    // Users of a provider have no password on this server.
    ...(provider === 'local' && { password }),
    name: name.trim(),
    email: email.trim(),
    admin,
    ...limits,
  }
}

/**
 * The request that changes a user. It has only changed fields, so that two admins do not undo each other's changes.
 * Undefined while a limit is invalid.
 */
export function updateOf(form: UserForm, user: User): UserUpdate | undefined {
  const limits = limitsOf(form)
  if (!limits) return undefined
  const wanted = { name: form.name.trim(), email: form.email.trim(), admin: form.admin, ...limits }
  const changes = Object.entries(wanted).filter(
    ([name, value]) => user[name as keyof typeof wanted] !== value,
  )
  return {
    ...(Object.fromEntries(changes) as Partial<typeof wanted>),
    ...(form.provider === 'local' && form.password !== '' && { password: form.password }),
  }
}
