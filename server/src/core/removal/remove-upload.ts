import { fileNotFound, uploadNotFound } from '../../domain/errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { inAccountingTransaction, accountUploadRemoved, accountRemoved } from '../stats/usage-accounting.ts'
import { markUploadsOf, removeFewUploads } from './mass-removal.ts'
import type { Service } from '../service.ts'

type Remover = Pick<Service, 'store' | 'clock' | 'pipe'>

/**
 * Removes an upload with all its files. The data goes with the next cleanup. Its streams end at once where they are
 * in this process, in others within a moment.
 * @throws ServiceError `upload_not_found` when it was removed already
 */
export async function removeUpload({ store, clock, pipe }: Remover, upload: UploadRecord): Promise<void> {
  if (!(await recordRemoval({ store, clock }, upload))) throw uploadNotFound()
  if (upload.stream === 0) return
  for (const { id } of await store.files.list(upload.id)) pipe.remove(id, fileNotFound())
}

/** Removes all uploads of a user, for every reader at once. Many are removed in the background. */
export async function removeUploadsOf(
  service: Pick<Service, 'store' | 'clock' | 'cleanupRequests'>,
  userId: string,
): Promise<void> {
  if (await removeFewUploads(service, userId)) return
  await markUploadsOf(service, userId)
  service.cleanupRequests.request()
}

/** @returns false when it was removed already */
const recordRemoval = (
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  upload: Pick<UploadRecord, 'id' | 'userId'>,
): Promise<boolean> =>
  inAccountingTransaction(store, (transaction) => accountUploadRemoved(transaction, upload, clock.now()))

/**
 * Removes a file. The data goes with the next cleanup; a stream ends for both its sides.
 * @throws ServiceError `file_not_found` when it was removed already
 */
export async function removeFile(
  { store, pipe }: Remover,
  upload: UploadRecord,
  file: FileRecord,
): Promise<void> {
  if (!(await inAccountingTransaction(store, (transaction) => accountRemoved(transaction, upload, file.id))))
    throw fileNotFound()
  pipe.remove(file.id, fileNotFound())
}
