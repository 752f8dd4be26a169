import { invalidSession, type ServiceError } from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'

/**
 * Makes sure that a user still has the password that was found right, and has it until the transaction ends: checking
 * one takes so long that another may be set meanwhile.
 * @param user as it was before the check
 * @throws ServiceError what `changed` makes when it has another one, `invalid_session` when the user is gone
 */
export async function requireUnchangedPassword(
  transaction: MetadataStore,
  { id, passwordHash }: UserRecord,
  changed: () => ServiceError,
): Promise<void> {
  await transaction.users.lock(id)
  const user = await transaction.users.find(id)
  if (user === undefined) throw invalidSession()
  if (user.passwordHash !== passwordHash) throw changed()
}
