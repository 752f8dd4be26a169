import type { Principal } from '../../domain/access/principal.ts'
import type { Service } from '../service.ts'
import { userOfSession } from './sessions.ts'

/** Whether the session or the user token of an earlier request is still valid, for the same user. */
export async function isStillSignedIn(
  service: Pick<Service, 'clock' | 'databaseSpace' | 'store'>,
  { user, session, token }: Principal,
): Promise<boolean> {
  if (session !== null) return (await userOfSession(service, session))?.id === user?.id
  if (token === null) return false
  const found = await service.store.tokens.findUser(token)
  if (found === undefined || found.id !== user?.id) return false
  return found.tokenExpireAt === null || found.tokenExpireAt > service.clock.now()
}
