import { batchOf, firstOf, recordBatchRemoved, repeatableByCleanup } from './remove-batch.ts'
import type { BatchWork } from './mass-removal.ts'
import type { Service } from '../service.ts'

type Remover = Pick<Service, 'store' | 'clock'>

/** The number of requests per query of a cleanup. */
const batch = 100

/**
 * Removes uploads that a removed request has received, in one transaction, and its row after the last of them.
 * @returns whether nothing is left
 */
export async function removeSomeReceived({ store, clock }: Remover, id: string): Promise<boolean> {
  const limit = batchOf(store)
  const uploads = await store.requests.uploadsOf(id, limit)
  const first = firstOf(store, uploads)
  const isLastBatch = uploads.length < limit && first.length === uploads.length
  await store.transaction(async (transaction) => {
    await recordBatchRemoved(transaction, { ids: first.map((upload) => upload.id), now: clock.now() })
    // An upload that is being created counts against the request first, which it no longer finds.
    if (isLastBatch) await transaction.requests.remove(id)
  })
  return isLastBatch
}

/**
 * Completes the removal of requests with the uploads that they have received.
 * @returns how many requests were removed
 * @throws the reason of the signal
 */
export async function finishRequestRemovals(
  service: Remover,
  { signal, pause }: BatchWork = {},
): Promise<number> {
  let removed = 0
  for (;;) {
    const requests = await service.store.requests.findRemoved(batch)
    if (requests.length === 0) return removed
    for (const { id } of requests) {
      do {
        signal?.throwIfAborted()
        await pause?.()
      } while (!(await removeSomeReceived(service, id)))
      removed += 1
    }
  }
}

/**
 * Deletes the rows of requests whose retention has ended, and that have no upload left.
 * @param retention in seconds; negative: rows are kept forever
 * @throws the reason of the signal
 */
export async function purgeRequests(
  { store, clock }: Remover,
  retention: number,
  { signal, pause }: BatchWork = {},
): Promise<void> {
  if (retention < 0) return
  const until = clock.now() - retention * 1000
  for (;;) {
    signal?.throwIfAborted()
    const ids = await store.requests.purgeable(until, batch)
    await store.transaction(async (transaction) => {
      for (const id of ids) await transaction.requests.remove(id)
    }, repeatableByCleanup)
    if (ids.length < batch) return
    await pause?.()
  }
}
