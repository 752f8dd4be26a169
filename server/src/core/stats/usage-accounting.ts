/**
 * Keeps the number and bytes of an upload's files, the used bytes of its owner, and the counters of stored files.
 * Each function runs in the transaction that changes the status of the file, and all lock in the same order:
 * upload, file, user, request, counters.
 */
import { ageScheme } from '@svc/contract'
import { tooManyFiles } from '../../domain/errors.ts'
import { uploadNotFound } from '../../domain/not-found-errors.ts'
import { isLimited } from '../../domain/limits/download-limit.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { FileKey } from '../../metadata/files/file-key.ts'
import { isUsedUp, type ClaimKey } from '../../metadata/files/limited-claims.ts'
import type { StoredFile } from '../../metadata/files/files.ts'
import type { TransactionOptions } from '../../metadata/group-commit.ts'
import type { RequestUsage } from '../../metadata/requests/requests.ts'
import type { MetadataStore } from '../../metadata/store.ts'

type OwnedUpload = Pick<UploadRecord, 'id' | 'userId' | 'requestId' | 'e2ee' | 'oneShot' | 'maxDownloads'>

/** The end of the place of an upload that no longer counts against the limits of its request. */
export const releasedPlace = 0

/** Another request changed the file first: the transaction must be rolled back. */
export class LostRaceError extends Error {
  override readonly name = 'LostRaceError'
}

/**
 * Counts one more file of an upload.
 * @throws ServiceError `too_many_files`, `upload_not_found` when the upload was removed in the meantime
 */
export async function countFile({ uploads }: MetadataStore, id: string, maxFiles: number): Promise<void> {
  if (await uploads.countFile(id, maxFiles)) return
  const { deletedAt } = await uploads.findOwner(id)
  throw deletedAt === null ? tooManyFiles(maxFiles) : uploadNotFound()
}

/**
 * Records that a file is stored: uploading → uploaded.
 * @throws LostRaceError when the file was removed in the meantime
 */
export async function recordStored(
  store: MetadataStore,
  upload: OwnedUpload,
  file: FileKey & Pick<FileRecord, 'instance' | 'reserved'>,
  stored: StoredFile,
): Promise<void> {
  await store.uploads.addStored(upload.id, stored.fileSize)
  if (!(await store.files.store(file, file.instance ?? '', stored))) throw new LostRaceError()
  // The file may be the manifest of an upload that is used up already.
  const manifests = await removeLastManifests(store, upload)
  const unreserved = stored.fileSize - file.reserved - manifests.size
  if (upload.userId !== null) await store.users.addUsage(upload.userId, unreserved)
  if (upload.requestId !== null && unreserved !== 0)
    await store.requests.addUsage(upload.requestId, { size: unreserved })
  await store.totals.add(upload.userId, {
    files: 1 - manifests.files,
    size: stored.fileSize - manifests.size,
  })
}

/**
 * Records that a stream reached its recipient: uploading → removed. The file was never stored.
 * @throws LostRaceError
 */
export async function recordStreamed(
  store: MetadataStore,
  upload: OwnedUpload,
  file: FileKey & Pick<FileRecord, 'instance' | 'type' | 'fileSize'>,
): Promise<void> {
  await store.uploads.uncountFile(upload.id)
  const { type, fileSize } = file
  if (!(await store.files.completeStream(file, file.instance ?? '', { type, fileSize })))
    throw new LostRaceError()
}

/**
 * Records the download of a one-shot file: uploaded → removed.
 * @throws LostRaceError when the claim was lost
 */
export async function recordConsumed(
  store: MetadataStore,
  upload: OwnedUpload,
  file: FileKey & Pick<FileRecord, 'fileSize'>,
  claim: string,
): Promise<void> {
  await store.uploads.uncountFile(upload.id, file.fileSize)
  if (!(await store.files.consume(file, claim))) throw new LostRaceError()
  const manifests = await removeLastManifests(store, upload)
  const size = file.fileSize + manifests.size
  if (upload.userId !== null) await store.users.addUsage(upload.userId, -size)
  await store.totals.add(upload.userId, { files: -1 - manifests.files, size: -size })
}

/**
 * Removes the manifest of an upload with a download limit that has no other file left: its downloads do not count, so it would stay. The
 * transaction has locked the upload, and changes the usage of its owner and the counters.
 * @returns what was removed
 */
async function removeLastManifests(
  store: MetadataStore,
  upload: OwnedUpload,
): Promise<{ readonly files: number; readonly size: number }> {
  if (upload.e2ee !== ageScheme || !isLimited(upload)) return { files: 0, size: 0 }
  const manifests = await store.files.lastManifests(upload.id)
  for (const manifest of manifests) {
    await store.uploads.uncountFile(upload.id, manifest.fileSize)
    await store.files.remove(manifest)
  }
  return { files: manifests.length, size: manifests.reduce((sum, { fileSize }) => sum + fileSize, 0) }
}

/** Records a broken download: releases its claim, and after `maxBroken` of them removes the file. */
export async function recordBrokenDownload(
  store: MetadataStore,
  upload: OwnedUpload,
  id: string,
  claim: string,
  maxBroken: number,
): Promise<void> {
  await store.uploads.lock(upload.id)
  await store.files.releaseClaim({ id, uploadId: upload.id }, claim, 1)
  const file = await store.files.find(upload.id, id)
  if (file !== undefined && file.brokenDownloads >= maxBroken) await recordRemoved(store, upload, id)
}

/**
 * Records a download of a file with `maxDownloads`, and removes the file after the last one.
 * @param limit `maxDownloads`
 * @throws LostRaceError when the claim was lost
 */
export async function recordDownload(
  store: MetadataStore,
  upload: OwnedUpload,
  claim: ClaimKey,
  limit: number,
): Promise<void> {
  await store.uploads.lock(upload.id)
  await endClaim(store, claim, { downloads: 1 })
  await removeIfUsedUp(store, upload, claim, limit)
}

/**
 * Records a broken download of a file with `maxDownloads`. After `maxBroken` of them, they count as one download.
 * @throws LostRaceError when the claim was lost
 */
export async function recordBrokenLimited(
  store: MetadataStore,
  upload: OwnedUpload,
  claim: ClaimKey,
  { limit, maxBroken }: { readonly limit: number; readonly maxBroken: number },
): Promise<void> {
  await store.uploads.lock(upload.id)
  await endClaim(store, claim, { broken: 1 })
  const file = await store.files.find(upload.id, claim.fileId)
  if (file === undefined || file.brokenDownloads < maxBroken) return
  await store.claims.countBroken(file, maxBroken)
  await removeIfUsedUp(store, upload, claim, limit)
}

/**
 * Ends the claim of a download that is not counted, or only as described.
 * @throws LostRaceError when the claim was lost
 */
export async function endClaim(
  store: MetadataStore,
  claim: ClaimKey,
  counts?: { readonly downloads?: 1; readonly broken?: 1 },
): Promise<void> {
  await store.claims.settle(claim, counts)
  if (!(await store.claims.remove(claim))) throw new LostRaceError()
}

async function removeIfUsedUp(
  store: MetadataStore,
  upload: OwnedUpload,
  { fileId }: ClaimKey,
  limit: number,
): Promise<void> {
  const file = await store.files.find(upload.id, fileId)
  if (file !== undefined && isUsedUp(file, limit)) await recordRemoved(store, upload, fileId)
}

/**
 * Records the removal of a file: → removed, from any earlier status.
 * @param remove returns whether it removed the file
 * @throws LostRaceError when the file was removed already
 */
export async function recordRemoved(
  store: MetadataStore,
  upload: OwnedUpload,
  id: string,
  remove = () => store.files.remove({ id, uploadId: upload.id }),
): Promise<void> {
  await store.uploads.uncountFile(upload.id)
  if (!(await remove())) throw new LostRaceError()
  // Read after the change: no other transaction can change the row before this one ends.
  const file = await store.files.find(upload.id, id)
  const wasStored = file !== undefined && file.uploadedAt !== null
  const ownSize = wasStored ? file.fileSize : 0
  if (ownSize > 0) await store.uploads.addSize(upload.id, -ownSize)
  const manifests = await removeLastManifests(store, upload)
  const size = ownSize + manifests.size
  const reserved = await releaseReserved(store, upload, size)
  if (upload.requestId !== null && (!wasStored || reserved > 0)) {
    const counts = wasStored || (await store.uploads.place(upload.id)) === releasedPlace ? 0 : 1
    await store.requests.addUsage(upload.requestId, { files: -counts, size: -reserved })
  }
  const files = Number(wasStored) + manifests.files
  if (files > 0) await store.totals.add(upload.userId, { files: -files, size: -size })
}

/**
 * Records the removal of an upload with all its files.
 * @param isDue whether the current upload must still be removed
 * @throws LostRaceError when it must not, or was removed already
 */
export async function recordUploadRemoved(
  store: MetadataStore,
  upload: OwnedUpload,
  now: number,
  isDue: (current: UploadRecord) => boolean = () => true,
): Promise<void> {
  await store.uploads.lock(upload.id)
  const current = await store.uploads.find(upload.id)
  if (current === undefined || current.deletedAt !== null || !isDue(current)) throw new LostRaceError()
  const { files } = await store.files.countStored(upload.id)
  const arrivals = upload.requestId === null ? null : await store.files.countArrivals(upload.id)
  await store.files.removeAll(upload.id)
  const size = await store.uploads.resetSize(upload.id)
  const reserved = await releaseReserved(store, upload, size)
  if (upload.requestId !== null && arrivals !== null && current.placeUntil !== releasedPlace)
    await store.requests.addUsage(upload.requestId, returnedUsage(arrivals, reserved))
  // Last, because on MariaDB it locks an index entry of the user. Two transactions that share that lock early would
  // then both wait for the exclusive lock of the user's row.
  await store.uploads.remove(upload.id, now)
  await store.totals.add(upload.userId, { uploads: -1, files: -files, size: -size })
}

/**
 * Releases the quota of removed files of an upload.
 * @param size their stored bytes
 * @returns the bytes that were reserved for files that did not arrive
 */
async function releaseReserved(store: MetadataStore, upload: OwnedUpload, size: number): Promise<number> {
  if (upload.userId === null && upload.requestId === null) return 0
  const reserved = await store.files.releaseReserved(upload.id)
  if (upload.userId !== null && size + reserved > 0)
    await store.users.addUsage(upload.userId, -size - reserved)
  return reserved
}

/**
 * What the removal of an upload gives back to its request: the files that did not arrive, and the upload if none did.
 * @param reserved bytes
 */
export const returnedUsage = (
  { arrived, pending }: { readonly arrived: number; readonly pending: number },
  reserved: number,
): RequestUsage => ({ uploads: arrived === 0 ? -1 : 0, files: -pending, size: -reserved })

/**
 * Runs an accounting transaction.
 * @returns false when another request won the race and nothing changed
 */
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
