import { canTransition } from '../../domain/files/file-status.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { RequestUsage } from '../../metadata/requests/requests.ts'
import type { HiddenStats, RemovalRow } from '../../metadata/query/schema.ts'
import { releasedPlace, returnedUsage } from '../stats/usage-accounting.ts'
import type { TransactionOptions } from '../../metadata/group-commit.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import type { DueUpload } from '../../metadata/uploads/upload-retention.ts'

/** A removal of at least this many uploads happens in the background, not within the request. */
export const backgroundThreshold = 100

/**
 * For the batches of a cleanup, which do not wait for the disk: the next cleanup repeats a batch that a power cut undid.
 * Work that depends on a batch, such as the deletion of bytes, makes it durable first.
 */
export const repeatableByCleanup: TransactionOptions = { isDurable: false }

/** The number of uploads per query: most have one file. */
export const uploadsPerQuery = ({ batchRows }: Pick<MetadataStore, 'batchRows'>): number => batchRows / 2

/** The first of several uploads: as many as fit in one transaction with the rows of their files, and at least one. */
export function fittingBatch<Upload extends DueUpload>(
  { batchRows }: Pick<MetadataStore, 'batchRows'>,
  uploads: readonly Upload[],
): readonly Upload[] {
  let rows = 0
  const end = uploads.findIndex(({ fileCount }) => (rows += 1 + fileCount) > batchRows)
  return end === -1 ? uploads : uploads.slice(0, Math.max(1, end))
}

interface BatchRemoval {
  readonly ids: readonly string[]
  readonly now: number
  /** Whether the current upload must still be removed. */
  readonly isDue?: (current: Pick<UploadRecord, 'expireAt'>) => boolean
  /** Whether the uploads lose their owner, because the user is deleted. */
  readonly disown?: boolean
}

/**
 * Removes uploads with all their files, in the transaction of the caller. Locks in the order of usage accounting
 * (core/stats/usage-accounting.ts): uploads, files, users, requests, mass removals, counters. Uploads that were removed before
 * stay unchanged.
 * @returns how many were removed
 */
export async function recordBatchRemoved(
  { uploadBatches, users, requests, removals, totals }: MetadataStore,
  { ids, now, isDue = () => true, disown = false }: BatchRemoval,
): Promise<number> {
  if (ids.length === 0) return 0
  const due = (await uploadBatches.lock(ids)).filter((upload) => upload.deletedAt === null && isDue(upload))
  if (due.length === 0) return 0
  const dueIds = due.map(({ id }) => id)
  const ownerOf = new Map(due.map(({ id, userId }) => [id, userId]))
  const used = new Map<string, number>()
  const free = (userId: string | null | undefined, bytes: number) => {
    if (typeof userId === 'string' && bytes > 0) used.set(userId, (used.get(userId) ?? 0) + bytes)
  }
  const files = await uploadBatches.files(dueIds)
  for (const { uploadId, reserved } of files) free(ownerOf.get(uploadId), reserved)
  for (const { userId, size } of due) free(userId, size)
  const removable = files.filter(({ status }) => canTransition(status, 'removed'))
  if (removable.length > 0) await uploadBatches.removeFiles(removable)
  // Always in the same order, so that two batches do not deadlock.
  for (const [userId, bytes] of [...used].sort(byKey)) await users.addUsage(userId, -bytes)
  for (const [requestId, usage] of [...givenBack(due, files)].sort(byKey))
    await requests.addUsage(requestId, usage)
  const owners = [...new Set(due.map(({ userId }) => userId).filter((id) => id !== null))]
  for (const removal of owners.length === 0 ? [] : (await removals.of(owners)).sort(byUser))
    await removals.reveal(removal.userId, hiddenBy(removal, due, files))
  // Last, as in `recordUploadRemoved`.
  await uploadBatches.remove(dueIds, { now, disown })
  await totals.addAll(counterChanges(due, files))
  return due.length
}

/** The negative changes of the counters of each owner when uploads are removed. */
function counterChanges(
  uploads: readonly Pick<UploadRecord, 'id' | 'userId' | 'size'>[],
  files: readonly Pick<FileRecord, 'uploadId' | 'status'>[],
) {
  const stored = new Map<string, number>()
  for (const { uploadId, status } of files)
    if (status === 'uploaded') stored.set(uploadId, (stored.get(uploadId) ?? 0) + 1)
  const changes = new Map<string | null, { uploads: number; files: number; size: number }>()
  for (const { id, userId, size } of uploads) {
    const change = changes.get(userId) ?? { uploads: 0, files: 0, size: 0 }
    changes.set(userId, {
      uploads: change.uploads - 1,
      files: change.files - (stored.get(id) ?? 0),
      size: change.size - size,
    })
  }
  return changes
}

/** What requests get back when uploads are removed of which not everything has arrived. */
function givenBack(
  uploads: readonly Pick<UploadRecord, 'id' | 'requestId' | 'placeUntil'>[],
  files: readonly Pick<FileRecord, 'uploadId' | 'status' | 'uploadedAt' | 'reserved'>[],
): Map<string, RequestUsage> {
  const usages = new Map<string, RequestUsage>()
  const received = uploads.filter(
    ({ requestId, placeUntil }) => requestId !== null && placeUntil !== releasedPlace,
  )
  if (received.length === 0) return usages
  const byUpload = Map.groupBy(files, ({ uploadId }) => uploadId)
  for (const { id, requestId } of received) {
    const own = byUpload.get(id) ?? []
    const arrived = own.filter(({ uploadedAt }) => uploadedAt !== null).length
    const pending = own.filter(({ status }) => status === 'missing' || status === 'uploading').length
    const reserved = own.reduce((sum, file) => sum + file.reserved, 0)
    const {
      uploads: before,
      files: filesBefore,
      size,
    } = usages.get(requestId ?? '') ?? { uploads: 0, files: 0, size: 0 }
    const more = returnedUsage({ arrived, pending }, reserved)
    usages.set(requestId ?? '', {
      uploads: before + more.uploads,
      files: filesBefore + more.files,
      size: size + more.size,
    })
  }
  return usages
}

/** The hidden stats of a mass removal that belong to these uploads. */
function hiddenBy(
  { userId, generation }: Pick<RemovalRow, 'userId' | 'generation'>,
  uploads: readonly Pick<UploadRecord, 'id' | 'userId' | 'size' | 'generation'>[],
  files: readonly Pick<FileRecord, 'uploadId' | 'status' | 'reserved'>[],
): HiddenStats {
  const marked = uploads.filter((upload) => upload.userId === userId && upload.generation < generation)
  const ids = new Set(marked.map(({ id }) => id))
  const own = files.filter(({ uploadId }) => ids.has(uploadId))
  const size = marked.reduce((sum, upload) => sum + upload.size, 0)
  return {
    usedSize: own.reduce((sum, { reserved }) => sum + reserved, size),
    uploads: marked.length,
    files: own.filter(({ status }) => status === 'uploaded').length,
    size,
  }
}

const byUser = (a: Pick<RemovalRow, 'userId'>, b: Pick<RemovalRow, 'userId'>) =>
  a.userId < b.userId ? -1 : 1

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)
