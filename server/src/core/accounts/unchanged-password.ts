import { invalidSession, type ServiceError } from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'

/**
 * Checks that the verified password of a user is unchanged, and locks it until the transaction ends: the slow check
 * leaves time for another change.
 * @param user as read before the check
 * @throws ServiceError the error of `changed` when the password is another, `invalid_session` when the user is
 * deleted
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
