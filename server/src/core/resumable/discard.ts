import type { UploadRecord } from '../../domain/records.ts'
import { inAccountingTransaction, accountRemoved } from '../stats/usage-accounting.ts'
import type { Service } from '../service.ts'

type Parts = Pick<Service, 'store' | 'data' | 'log' | 'resumableHashes'>

/**
 * Gives an unfinished file up, with its place, its quota and its bytes. Whoever calls makes sure that nobody writes it.
 * What cannot be removed now (the store is away), cleaning will; it forgets the file, too.
 */
export async function discard(service: Parts, upload: UploadRecord, fileId: string): Promise<void> {
  const { store, log, resumableHashes: liveHashes } = service
  liveHashes.forget(fileId)
  await inAccountingTransaction(store, (books) => accountRemoved(books, upload, fileId))
  try {
    await removeData(service, fileId)
  } catch (error) {
    log.warn({ err: error, file: fileId }, 'the data of an unfinished file could not be removed yet')
  }
}

/** Removes all bytes of a file, whether it came in one piece or not. @throws StoreUnavailableError */
export async function removeData(
  { store, data }: Pick<Service, 'store' | 'data'>,
  fileId: string,
): Promise<void> {
  const resumable = await store.resumables.find(fileId)
  if (resumable !== undefined && resumable.session !== '') {
    const { received: offset, session } = resumable
    await data.resumable?.abandon(fileId, { offset, session })
  }
  await data.remove(fileId)
}
