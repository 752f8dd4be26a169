import * as errors from '../../domain/errors.ts'
import { uploadNotFound } from '../../domain/not-found-errors.ts'
import type { UploadRecord, UserRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

/**
 * The owner of an upload, whose limits apply to every file of it.
 * @throws ServiceError `upload_not_found` when the owner has just been deleted, `anonymous_refused`
 */
export async function ownerOf(
  { store, config }: Pick<Service, 'config' | 'store'>,
  { userId }: UploadRecord,
): Promise<UserRecord | null> {
  if (userId === null) {
    if (config.features.feature_authentication === 'forced') throw errors.anonymousRefused()
    return null
  }
  const owner = await store.users.find(userId)
  if (owner === undefined) throw uploadNotFound()
  return owner
}
