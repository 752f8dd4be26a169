import { providers } from '@svc/contract'
import type { Service } from '../../core/service.ts'
import type { UserRecord } from '../../domain/records.ts'
import { userID } from '../../domain/access/user-id.ts'
import { CommandError } from '../../domain/command-error.ts'

/** The id of a user from an id or the login of a local user. */
export const userIDFrom = (idOrLogin: string): string =>
  providers.some((provider) => idOrLogin.startsWith(userID(provider, '')))
    ? idOrLogin
    : userID('local', idOrLogin)

/**
 * The user that the argument of a command names.
 * @throws CommandError when the user does not exist
 */
export async function userOfArgument(
  { store }: Pick<Service, 'store'>,
  idOrLogin: string,
): Promise<UserRecord> {
  const id = userIDFrom(idOrLogin)
  const user = await store.users.find(id)
  if (user === undefined) throw userNotFound(id)
  return user
}

export const userNotFound = (id: string): CommandError => new CommandError(`the user ${id} does not exist`)
