import type { UploadRecord } from '../../domain/records.ts'
import { inAccountingTransaction, recordRemoved } from '../stats/usage-accounting.ts'
import type { Service } from '../service.ts'

type Discarder = Pick<Service, 'store' | 'data' | 'log' | 'resumableHashes'>

/**
 * Discards an unfinished file with its quota and its bytes. The caller ensures that no connection writes it. If the store
 * is unavailable now, cleanup removes the bytes and the row.
 */
export async function discard(service: Discarder, upload: UploadRecord, fileId: string): Promise<void> {
  const { store, log, resumableHashes } = service
  resumableHashes.forget(fileId)
  await inAccountingTransaction(store, (transaction) => recordRemoved(transaction, upload, fileId))
  try {
    await removeData(service, fileId)
  } catch (error) {
    log.warn({ err: error, file: fileId }, 'the data of an unfinished file could not be removed yet')
  }
}

/**
 * Removes all bytes of a file, finished or not.
 * @throws StoreUnavailableError
 */
export async function removeData(
  { store, data }: Pick<Service, 'store' | 'data'>,
  fileId: string,
): Promise<void> {
  const resumable = await store.resumables.find(fileId)
  if (resumable !== undefined && resumable.session !== '') {
    const { received: offset, session } = resumable
    await data.resumable?.discard(fileId, { offset, session })
  }
  await data.remove(fileId)
}
