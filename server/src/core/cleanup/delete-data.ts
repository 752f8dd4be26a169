import pLimit from 'p-limit'
import { readAhead } from '../../domain/collections/read-ahead.ts'
import type { OtherInstances, AbandonedFile } from '../../metadata/files/abandoned-files.ts'
import type { BatchWork } from '../removal/mass-removal.ts'
import { repeatableByCleanup } from '../removal/remove-batch.ts'
import { removeData } from '../resumable/discard.ts'
import type { Service } from '../service.ts'

type Deleter = Pick<Service, 'store' | 'data' | 'log' | 'inFlight' | 'instance' | 'resumableHashes'>

/** The number of files per query, in the order of their keys: many backends store neighbouring keys together. */
const pageSize = 2_000

/** The number of parallel removals where each file takes a separate request. */
const concurrency = 8

export interface DeletionResult {
  readonly deletedFiles: number
  /** Files whose bytes could not be deleted. */
  readonly failedDeletions: number
}

/**
 * Deletes the data of removed files. Files that are still being written wait: their last bytes could be written after
 * the deletion, and stay forever after a crash. The next cleanup retries failed deletions.
 * @throws the reason of the signal
 */
export async function deleteRemovedFiles(
  service: Deleter,
  others: OtherInstances,
  work: BatchWork = {},
): Promise<DeletionResult> {
  const { store } = service
  let deletedFiles = 0
  let failedDeletions = 0
  // The database and the data backend work at the same time.
  for await (const removed of readAhead(removeDataInBatches(service, others, work.signal))) {
    failedDeletions += removed.failedDeletions
    for (let start = 0; start < removed.ids.length; start += store.batchRows) {
      const ids = removed.ids.slice(start, start + store.batchRows)
      const count = await store.transaction(async (transaction) => {
        await transaction.resumables.remove(...ids)
        return transaction.files.markDeleted(ids)
      }, repeatableByCleanup)
      deletedFiles += count
      work.onBatch?.(count)
      await work.pause?.()
    }
  }
  return { deletedFiles, failedDeletions }
}

interface RemovedBatch {
  /** Files whose data is deleted. */
  readonly ids: readonly string[]
  readonly failedDeletions: number
}

/** @throws the reason of the signal */
async function* removeDataInBatches(
  service: Deleter,
  others: OtherInstances,
  signal: AbortSignal | undefined,
): AsyncGenerator<RemovedBatch, void> {
  const { store, inFlight, instance } = service
  let after = ''
  for (;;) {
    signal?.throwIfAborted()
    // A transaction waits for the disk. Otherwise a power cut could undo the removal of a file whose bytes are deleted,
    // and the file would be listed without its bytes.
    const files = await store.transaction((transaction) =>
      transaction.files.findAbandoned('removed', others, after, pageSize),
    )
    const deletable = files.filter((file) => file.instance !== instance || !inFlight.has(file.id))
    const { errors, skipped } = await removeAllData(service, deletable, signal)
    for (const [file, error] of errors) logFailure(service, file, error)
    const ids = deletable.map(({ id }) => id).filter((id) => !errors.has(id) && !skipped.has(id))
    yield { ids, failedDeletions: errors.size }
    after = files.at(-1)?.id ?? after
    if (files.length < pageSize) return
  }
}

interface UndeletedData {
  /** Why data could not be removed, by the id of its file. */
  readonly errors: ReadonlyMap<string, unknown>
  /** Files that were not attempted because the signal was aborted. */
  readonly skipped: ReadonlySet<string>
}

async function removeAllData(
  service: Deleter,
  files: readonly AbandonedFile[],
  signal: AbortSignal | undefined,
): Promise<UndeletedData> {
  const { store, data, resumableHashes } = service
  const errors = new Map<string, unknown>()
  const skipped = new Set<string>()
  if (files.length === 0) return { errors, skipped }
  for (const { id } of files) resumableHashes.forget(id)
  const resumableIds = new Set(
    (await store.resumables.findAll(files.map(({ id }) => id))).map(({ fileId }) => fileId),
  )
  const { removeMany } = data
  const isWhole = ({ id, uploadedAt }: AbandonedFile) => uploadedAt !== null && !resumableIds.has(id)
  const together = removeMany === undefined ? [] : files.filter(isWhole)
  const limit = pLimit(concurrency)
  const removeOne = async ({ id }: AbandonedFile) => {
    if (signal?.aborted === true) {
      skipped.add(id)
      return
    }
    try {
      if (resumableIds.has(id)) await removeData(service, id)
      else await data.remove(id)
    } catch (error) {
      errors.set(id, error)
    }
  }
  const alone = together.length === 0 ? files : files.filter((file) => !isWhole(file))
  const removeTogether = async () => {
    const keys = together.map(({ id }) => id)
    try {
      for (const [key, error] of (await removeMany?.(keys)) ?? []) errors.set(key, error)
    } catch (error) {
      for (const key of keys) errors.set(key, error)
    }
  }
  await Promise.all([together.length > 0 && removeTogether(), ...alone.map((file) => limit(removeOne, file))])
  return { errors, skipped }
}

function logFailure({ log }: Deleter, file: string, error: unknown): void {
  log.error(
    { err: error, file },
    'the data of a removed file could not be deleted; the next cleanup retries it',
  )
}
