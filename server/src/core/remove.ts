import { fileNotFound, uploadNotFound } from '../domain/errors.ts'
import type { FileRecord, UploadRecord } from '../domain/records.ts'
import type { Service } from './service.ts'

/**
 * Removes an upload with all its files. The data goes with the next cleaning.
 * @throws ServiceError `upload_not_found` when it was removed already
 */
export async function removeUpload({ store, clock }: Service, upload: UploadRecord): Promise<void> {
  await store.transaction(async (transaction) => {
    if (!(await transaction.uploads.remove(upload.id, clock.now()))) throw uploadNotFound()
    await transaction.files.removeAll(upload.id)
  })
}

/**
 * Removes a file. The data goes with the next cleaning.
 * @throws ServiceError `file_not_found` when it was removed already
 */
export async function removeFile({ store }: Service, file: FileRecord): Promise<void> {
  await store.transaction(async (transaction) => {
    if (!(await transaction.files.remove(file.id))) throw fileNotFound()
    await transaction.uploads.givePlace(file.uploadId)
  })
}
