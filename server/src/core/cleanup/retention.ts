import type { RemovedUpload } from '../../metadata/uploads/upload-retention.ts'
import type { BatchWork } from '../removal/mass-removal.ts'
import { uploadsPerQuery, fittingBatch, repeatableByCleanup } from '../removal/remove-batch.ts'
import type { Service } from '../service.ts'

type RetentionContext = Pick<Service, 'store' | 'clock'>

/**
 * Batches per query. While its statistics lag behind, PostgreSQL reads and sorts all that is left for each query: with one per
 * batch, this took half of the time of a large cleanup.
 */
const batchesPerQuery = 20

/**
 * Blanks names, comments, addresses, logins and hashes of removed uploads whose bytes are deleted.
 * @returns how many uploads were blanked
 * @throws the reason of the signal
 */
export async function blankRemoved(
  { store, clock }: RetentionContext,
  work: BatchWork = {},
): Promise<number> {
  const { signal, onBatch, pause } = work
  let after: RemovedUpload | undefined
  let blanked = 0
  for (;;) {
    signal?.throwIfAborted()
    const uploads = await store.uploadBatches.findUnblanked(after, batchesPerQuery * uploadsPerQuery(store))
    after = uploads.at(-1)
    if (after === undefined) return blanked
    for (let rest: readonly RemovedUpload[] = uploads.filter(({ hasBytes }) => !hasBytes); rest.length > 0;) {
      signal?.throwIfAborted()
      const batch = fittingBatch(store, rest.slice(0, uploadsPerQuery(store)))
      const ids = batch.map(({ id }) => id)
      const count = await store.transaction(
        (transaction) => transaction.uploadBatches.blank(ids, clock.now()),
        repeatableByCleanup,
      )
      rest = rest.slice(batch.length)
      blanked += count
      onBatch?.(count)
      await pause?.()
    }
  }
}

/**
 * Deletes the rows of blanked uploads whose retention has ended.
 * @param retention in seconds; negative: rows are kept forever
 * @returns how many uploads were purged
 * @throws the reason of the signal
 */
export async function purgeBlanked(
  { store, clock }: RetentionContext,
  retention: number,
  { signal, onBatch, pause }: BatchWork = {},
): Promise<number> {
  if (retention < 0) return 0
  const until = clock.now() - retention * 1000
  let purged = 0
  let blankedFrom = 0
  for (;;) {
    signal?.throwIfAborted()
    const uploads = fittingBatch(
      store,
      await store.uploadBatches.purgeable(until, uploadsPerQuery(store), blankedFrom),
    )
    if (uploads.length === 0) return purged
    blankedFrom = uploads.at(-1)?.erasedAt ?? blankedFrom
    const ids = uploads.map(({ id }) => id)
    const count = await store.transaction(
      (transaction) => transaction.uploadBatches.purge(ids),
      repeatableByCleanup,
    )
    purged += count
    onBatch?.(count)
    await pause?.()
  }
}

/**
 * Returns the space of purged rows to the disk.
 * @throws the reason of the signal
 */
export async function releaseFreePages(
  { store }: RetentionContext,
  { signal, pause }: BatchWork = {},
): Promise<void> {
  while (await store.releaseFreePages()) {
    signal?.throwIfAborted()
    await pause?.()
  }
}
