/**
 * The kept figures: places and bytes of an upload, used bytes of its owner, counters of what is stored. Each function
 * belongs into the transaction that changes the status of the file, and locks in the same order: upload, file, user,
 * counters.
 */
import { tooManyFiles, uploadNotFound } from '../../domain/errors.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { FileKey } from '../../metadata/files/file-key.ts'
import type { StoredFile } from '../../metadata/files/files.ts'
import type { TransactionOptions } from '../../metadata/group-commit.ts'
import type { MetadataStore } from '../../metadata/store.ts'

type Owned = Pick<UploadRecord, 'id' | 'userId'>

/** Somebody else decided about a file meanwhile: the transaction is to be rolled back. */
export class LostRaceError extends Error {
  override readonly name = 'LostFile'
}

/**
 * Counts one more file of an upload.
 * @throws ServiceError `too_many_files`, `upload_not_found` when it was removed meanwhile
 */
export async function countFile({ uploads }: MetadataStore, id: string, most: number): Promise<void> {
  if (await uploads.takePlace(id, most)) return
  const { deletedAt } = await uploads.owner(id)
  throw deletedAt === null ? tooManyFiles(most) : uploadNotFound()
}

/** uploading → uploaded. @throws LostFile when the file was removed meanwhile */
export async function accountStored(
  store: MetadataStore,
  upload: Owned,
  file: FileKey & Pick<FileRecord, 'instance' | 'reserved'>,
  stored: StoredFile,
): Promise<void> {
  await store.uploads.grow(upload.id, stored.fileSize)
  if (!(await store.files.store(file, file.instance ?? '', stored))) throw new LostRaceError()
  if (upload.userId !== null) await store.users.use(upload.userId, stored.fileSize - file.reserved)
  await store.totals.add(upload.userId, { files: 1, size: stored.fileSize })
}

/** uploading → removed, by a stream that reached its downloader: it was never stored. @throws LostFile */
export async function accountStreamed(
  store: MetadataStore,
  upload: Owned,
  file: FileKey & Pick<FileRecord, 'instance' | 'type' | 'fileSize'>,
): Promise<void> {
  await store.uploads.givePlace(upload.id)
  const { type, fileSize } = file
  if (!(await store.files.streamed(file, file.instance ?? '', { type, fileSize }))) throw new LostRaceError()
}

/** uploaded → removed, by a download that used the file up. @throws LostFile when the claim was lost */
export async function accountConsumed(
  store: MetadataStore,
  upload: Owned,
  file: FileKey & Pick<FileRecord, 'fileSize'>,
  claim: string,
): Promise<void> {
  await store.uploads.givePlace(upload.id, file.fileSize)
  if (!(await store.files.consume(file, claim))) throw new LostRaceError()
  if (upload.userId !== null) await store.users.use(upload.userId, -file.fileSize)
  await store.totals.add(upload.userId, { files: -1, size: -file.fileSize })
}

/** Gives a claim back after a download that broke off late: after `most` of these the file is used up, too. */
export async function accountBroken(
  store: MetadataStore,
  upload: Owned,
  id: string,
  claim: string,
  most: number,
): Promise<void> {
  await store.uploads.lock(upload.id)
  await store.files.release({ id, uploadId: upload.id }, claim, 1)
  const file = await store.files.find(upload.id, id)
  if (file !== undefined && file.brokenDownloads >= most) await accountRemoved(store, upload, id)
}

/**
 * → removed, from whatever state.
 * @param remove tells whether it was what removed the file
 * @throws LostFile when it was removed already
 */
export async function accountRemoved(
  store: MetadataStore,
  upload: Owned,
  id: string,
  remove = () => store.files.remove({ id, uploadId: upload.id }),
): Promise<void> {
  await store.uploads.givePlace(upload.id)
  if (!(await remove())) throw new LostRaceError()
  // Read after the change: nobody else can change the row before the end of the transaction.
  const file = await store.files.find(upload.id, id)
  const wasStored = file !== undefined && file.uploadedAt !== null
  const size = wasStored ? file.fileSize : 0
  if (size > 0) await store.uploads.grow(upload.id, -size)
  if (upload.userId !== null) {
    const reserved = await store.files.releaseReserved(upload.id)
    if (size + reserved > 0) await store.users.use(upload.userId, -size - reserved)
  }
  if (wasStored) await store.totals.add(upload.userId, { files: -1, size: -size })
}

/**
 * An upload → removed, with all its files.
 * @param isDue whether it still is to be removed, as it is by now
 * @throws LostFile when it is not, or was removed already
 */
export async function accountUploadRemoved(
  store: MetadataStore,
  upload: Owned,
  now: number,
  isDue: (current: UploadRecord) => boolean = () => true,
): Promise<void> {
  await store.uploads.lock(upload.id)
  const current = await store.uploads.find(upload.id)
  if (current === undefined || current.deletedAt !== null || !isDue(current)) throw new LostRaceError()
  const files = await store.files.countStored(upload.id)
  await store.files.removeAll(upload.id)
  const size = await store.uploads.emptied(upload.id)
  if (upload.userId !== null) {
    const reserved = await store.files.releaseReserved(upload.id)
    if (size + reserved > 0) await store.users.use(upload.userId, -size - reserved)
  }
  // Last: the mark is in the index by which MariaDB knows whose uploads there are, so that setting it shares a lock of
  // the user's row with others who do the same, and then none of them could have that row alone.
  await store.uploads.remove(upload.id, now)
  await store.totals.add(upload.userId, { uploads: -1, files: -files, size: -size })
}

/** Runs a transaction of books. @returns false when it lost its file to somebody else, and nothing changed */
export async function inAccountingTransaction(
  store: MetadataStore,
  work: (transaction: MetadataStore) => Promise<void>,
  options?: TransactionOptions,
): Promise<boolean> {
  try {
    await store.transaction(work, options)
    return true
  } catch (error) {
    if (error instanceof LostRaceError) return false
    throw error
  }
}
