import { fileNotFound, uploadNotFound } from '../domain/errors.ts'
import type { FileRecord, UploadRecord } from '../domain/records.ts'
import { book, bookAllRemoved, bookRemoved, LostFile } from './books.ts'
import type { Service } from './service.ts'

type Remover = Pick<Service, 'store' | 'clock'>

/**
 * Removes an upload with all its files. The data goes with the next cleaning.
 * @throws ServiceError `upload_not_found` when it was removed already
 */
export async function removeUpload({ store, clock }: Remover, upload: UploadRecord): Promise<void> {
  const removed = await book(store, async (transaction) => {
    if (!(await transaction.uploads.remove(upload.id, clock.now()))) throw new LostFile()
    await bookAllRemoved(transaction, upload)
  })
  if (!removed) throw uploadNotFound()
}

const batch = 100

/** Removes all uploads of a user. */
export async function removeUploadsOf({ store, clock }: Remover, userId: string): Promise<void> {
  for (;;) {
    const ids = await store.uploads.idsOf(userId, batch)
    for (const id of ids) {
      await book(store, async (transaction) => {
        if (!(await transaction.uploads.remove(id, clock.now()))) throw new LostFile()
        await bookAllRemoved(transaction, { id, userId })
      })
    }
    if (ids.length < batch) return
  }
}

/**
 * Removes a file. The data goes with the next cleaning.
 * @throws ServiceError `file_not_found` when it was removed already
 */
export async function removeFile({ store }: Remover, upload: UploadRecord, file: FileRecord): Promise<void> {
  if (!(await book(store, (transaction) => bookRemoved(transaction, upload, file.id)))) throw fileNotFound()
}
