import { canTransition } from '../../domain/files/file-status.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { HiddenStats, RemovalRow } from '../../metadata/query/schema.ts'
import type { TransactionOptions } from '../../metadata/group-commit.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import type { DueUpload } from '../../metadata/uploads/upload-batches.ts'

/** Uploads that are removed within a request; more are left to the background. */
export const immediateRemovals = 100

/**
 * For the batches of a cleanup: where a power cut undoes one, the next cleanup does it again, so no batch waits for the
 * disk. What must not be undone, such as a mark whose bytes are deleted next, is made durable by the one who needs it.
 */
export const repeatableByCleanup: TransactionOptions = { isDurable: false }

/** Uploads that are looked up at once: each has a file, more or less. */
export const batchOf = ({ batchRows }: Pick<MetadataStore, 'batchRows'>): number => batchRows / 2

/** The first of some uploads: as many as fit into one transaction with the rows of their files, and at least one. */
export function firstOf<Upload extends DueUpload>(
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
  /** Whether an upload still is to be removed, as it is by now. */
  readonly isDue?: (current: Pick<UploadRecord, 'expireAt'>) => boolean
  /** Whether the uploads lose their owner with it, as the account is deleted. */
  readonly disown?: boolean
}

/**
 * Some uploads → removed, with all their files, in the transaction of the caller. Locks in the order of usage accounting
 * (core/stats/usage-accounting.ts): uploads, files, users, mass removals, counters. What was removed already is left as it
 * is.
 * @returns how many were removed
 */
export async function recordBatchRemoved(
  { uploadBatches, users, removals, totals }: MetadataStore,
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
  // In one order everywhere, so that two batches do not wait for each other.
  for (const [userId, bytes] of [...used].sort(byKey)) await users.addUsage(userId, -bytes)
  const owners = [...new Set(due.map(({ userId }) => userId).filter((id) => id !== null))]
  for (const removal of owners.length === 0 ? [] : (await removals.of(owners)).sort(byUser))
    await removals.reveal(removal.userId, hiddenBy(removal, due, files))
  // Last, as in `recordUploadRemoved`.
  await uploadBatches.remove(dueIds, { now, disown })
  await totals.addAll(lessByOwner(due, files))
  return due.length
}

/** What the counters of each owner lose with some uploads, as negative numbers. */
function lessByOwner(
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

/** What some uploads have in the stats that a mass removal hides. */
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

const byKey = ([a]: readonly [string, number], [b]: readonly [string, number]) => (a < b ? -1 : 1)
