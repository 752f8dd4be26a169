import { providers } from '@svc/contract'
import type { Service } from '../core/service.ts'
import type { UserRecord } from '../domain/records.ts'
import { userID } from '../domain/access/user-id.ts'
import { Refused } from './import-error.ts'

/** The id of the user that somebody means: an id as it is, anything else the login of a local user. */
export const meantUserID = (written: string): string =>
  providers.some((provider) => written.startsWith(userID(provider, ''))) ? written : userID('local', written)

/** @throws Refused when there is no such user */
export async function meantUser({ store }: Pick<Service, 'store'>, written: string): Promise<UserRecord> {
  const id = meantUserID(written)
  const user = await store.users.find(id)
  if (user === undefined) throw new Refused(`there is no user ${id}`)
  return user
}
