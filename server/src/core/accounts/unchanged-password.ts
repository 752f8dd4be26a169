import { invalidSession, type ServiceError } from '../../domain/errors.ts'
import type { UserRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'

/**
 * Checks that the verified password of a user is unchanged, and locks it until the transaction ends. The verification
 * is slow, so another request may have changed the password in the meantime.
 * @param user as read before the verification
 * @throws ServiceError the error of `changed` when the password has changed, `invalid_session` when the user is
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
