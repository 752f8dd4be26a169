import type { RemovalRow } from '../../metadata/query/schema.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import {
  uploadsPerQuery,
  recordBatchRemoved,
  backgroundThreshold,
  fittingBatch,
  repeatableByCleanup,
} from './remove-batch.ts'
import type { Service } from '../service.ts'

type Remover = Pick<Service, 'store' | 'clock'>

/** The greatest value of the column `generation`. */
const allGenerations = 2 ** 31 - 1

/** How work in batches reports its progress, and yields to requests. */
export interface BatchWork {
  /** Ends the work after the current batch. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called after each batch.
   * @param count number of items in the batch
   */
  readonly onBatch?: (count: number) => void
  /** Waits before the next batch, so that requests are served; absent in a command. */
  readonly pause?: (() => Promise<void>) | undefined
}

/**
 * Removes the uploads of a user in one transaction, unless there are too many.
 * @returns false when there are too many, and nothing was removed
 */
export async function removeFewUploads({ store, clock }: Remover, userId: string): Promise<boolean> {
  const uploads = await store.uploadBatches.ofGenerations(userId, allGenerations, backgroundThreshold)
  const batch = fittingBatch(store, uploads)
  if (uploads.length === backgroundThreshold || batch.length < uploads.length) return false
  const ids = batch.map(({ id }) => id)
  if (ids.length > 0)
    await store.transaction((transaction) => recordBatchRemoved(transaction, { ids, now: clock.now() }))
  return true
}

/** Hides all uploads of a user from every reader; `finishRemovals` removes them. */
export const hideUploadsOf = ({ store, clock }: Remover, userId: string): Promise<void> =>
  store.transaction((transaction) => transaction.removals.mark(userId, clock.now()))

/**
 * Completes mass removals batch by batch. Several instances may do so at the same time, and after a crash another
 * instance continues.
 * @returns how many uploads were removed
 * @throws the reason of the signal
 */
export async function finishRemovals(service: Remover, work: BatchWork = {}): Promise<number> {
  let removed = 0
  for (const removal of await service.store.removals.list()) {
    do {
      removed += await removeHidden(service, removal, work)
    } while (!(await service.store.transaction((transaction) => finish(transaction, removal))))
  }
  return removed
}

async function removeHidden(
  { store, clock }: Remover,
  { userId, generation }: RemovalRow,
  { signal, onBatch, pause }: BatchWork,
): Promise<number> {
  const isUserDeleted = await store.users.isTombstone(userId)
  let removed = 0
  let createdFrom = 0
  for (;;) {
    signal?.throwIfAborted()
    const uploads = fittingBatch(
      store,
      await store.uploadBatches.ofGenerations(userId, generation, uploadsPerQuery(store), createdFrom),
    )
    if (uploads.length === 0) break
    createdFrom = uploads.at(-1)?.createdAt ?? createdFrom
    const ids = uploads.map(({ id }) => id)
    const now = clock.now()
    const count = await store.transaction(
      (transaction) => recordBatchRemoved(transaction, { ids, now, disown: isUserDeleted }),
      repeatableByCleanup,
    )
    removed += count
    onBatch?.(count)
    await pause?.()
  }
  while (isUserDeleted) {
    signal?.throwIfAborted()
    const ids = await store.uploadBatches.removedOf(userId, uploadsPerQuery(store))
    if (ids.length === 0) break
    await store.transaction((transaction) => transaction.uploadBatches.disown(ids), repeatableByCleanup)
    await pause?.()
  }
  return removed
}

/** @returns false when an upload remains whose creation began before the mass removal */
async function finish(
  { users, removals, uploadBatches, totals }: MetadataStore,
  removal: RemovalRow,
): Promise<boolean> {
  // The creation of an upload locks the row of its owner until the transaction ends.
  await users.lock(removal.userId)
  if ((await uploadBatches.ofGenerations(removal.userId, removal.generation, 1)).length > 0) return false
  // Another mass removal may have been requested, or another instance may have finished this one.
  if ((await removals.finish(removal)) && (await users.removeTombstone(removal.userId)))
    await totals.remove(removal.userId)
  return true
}
