import { fileNotFound, uploadNotFound } from '../../domain/not-found-errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { inAccountingTransaction, recordUploadRemoved, recordRemoved } from '../stats/usage-accounting.ts'
import { hideUploadsOf, removeFewUploads } from './mass-removal.ts'
import type { Service } from '../service.ts'

type Remover = Pick<Service, 'store' | 'clock' | 'pipe'>

/**
 * Removes an upload with all its files. The next cleanup deletes their data. Its streams end at once in this instance,
 * and within a second in others.
 * @throws ServiceError `upload_not_found` when it was removed already
 */
export async function removeUpload({ store, clock, pipe }: Remover, upload: UploadRecord): Promise<void> {
  const isRemoved = await inAccountingTransaction(store, (transaction) =>
    recordUploadRemoved(transaction, upload, clock.now()),
  )
  if (!isRemoved) throw uploadNotFound()
  if (upload.stream === 0) return
  for (const { id } of await store.files.list(upload.id)) pipe.remove(id, fileNotFound())
}

/** Removes all uploads of a user. They are hidden at once; the rows of many uploads are changed in the background. */
export async function removeUploadsOf(
  service: Pick<Service, 'store' | 'clock' | 'cleanupRequests'>,
  userId: string,
): Promise<void> {
  if (await removeFewUploads(service, userId)) return
  await hideUploadsOf(service, userId)
  service.cleanupRequests.request()
}

/**
 * Removes a file. The next cleanup deletes its data; a stream ends for its sender and its recipient.
 * @throws ServiceError `file_not_found` when it was removed already
 */
export async function removeFile(
  { store, pipe }: Remover,
  upload: UploadRecord,
  file: FileRecord,
): Promise<void> {
  if (!(await inAccountingTransaction(store, (transaction) => recordRemoved(transaction, upload, file.id))))
    throw fileNotFound()
  pipe.remove(file.id, fileNotFound())
}
