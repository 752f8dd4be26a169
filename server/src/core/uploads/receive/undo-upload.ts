import { StoreUnavailableError } from '../../../data/backend/backend.ts'
import type { FileRecord, UploadRecord } from '../../../domain/records.ts'
import { DataStoreOutageError } from '../../data-store/outage-watch.ts'
import type { Service } from '../../service.ts'
import { inAccountingTransaction, recordRemoved } from '../../stats/usage-accounting.ts'

/**
 * Undoes a failed upload. If the store or the database is unavailable, cleanup completes it. The row comes first: a
 * commit that was reported as failed may have stored the file.
 * @returns false when another request had removed the file
 */
export async function undoUpload(
  { store, data, log, inFlight }: Pick<Service, 'data' | 'inFlight' | 'log' | 'store'>,
  upload: UploadRecord,
  file: FileRecord,
  cause: unknown,
): Promise<boolean> {
  try {
    const removedHere = await inAccountingTransaction(store, (transaction) =>
      recordRemoved(transaction, upload, file.id),
    )
    // The client must not wait again for a store that is unavailable.
    if (!(cause instanceof StoreUnavailableError)) await removeBytes({ data, log }, file)
    const release = () => store.files.clearInstance(file)
    if (!(cause instanceof DataStoreOutageError)) await release()
    // Bytes may still reach the store, so the file is released later. If that fails, cleanup releases it after this
    // process has ended.
    else void inFlight.during(file.id, () => cause.settled.then(release)).catch(() => undefined)
    return removedHere
  } catch (error) {
    log.error({ err: error, file: file.id }, 'a failed upload could not be undone yet')
    return true
  }
}

async function removeBytes({ data, log }: Pick<Service, 'data' | 'log'>, { id }: FileRecord): Promise<void> {
  try {
    await data.remove(id)
  } catch (error) {
    log.warn({ err: error, file: id }, 'the data of a failed upload could not be removed yet')
  }
}
