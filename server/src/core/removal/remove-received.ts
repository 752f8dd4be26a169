import { uploadsPerQuery, fittingBatch, recordBatchRemoved, repeatableByCleanup } from './remove-batch.ts'
import type { BatchWork } from './mass-removal.ts'
import type { Service } from '../service.ts'

type Remover = Pick<Service, 'store' | 'clock'>

/** The number of requests per query of a cleanup. */
const pageSize = 100

/**
 * Removes a batch of the uploads of a removed request in one transaction; with the last batch, also the row of the request.
 * @returns whether nothing is left
 */
export async function removeSomeReceived({ store, clock }: Remover, id: string): Promise<boolean> {
  const limit = uploadsPerQuery(store)
  const uploads = await store.requests.uploadsOf(id, limit)
  const batch = fittingBatch(store, uploads)
  const isLastBatch = uploads.length < limit && batch.length === uploads.length
  await store.transaction(async (transaction) => {
    await recordBatchRemoved(transaction, { ids: batch.map((upload) => upload.id), now: clock.now() })
    // A concurrent creation first updates the row of the request, finds none, and fails.
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
    const requests = await service.store.requests.findRemoved(pageSize)
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
    const ids = await store.requests.purgeable(until, pageSize)
    await store.transaction(async (transaction) => {
      for (const id of ids) await transaction.requests.remove(id)
    }, repeatableByCleanup)
    if (ids.length < pageSize) return
    await pause?.()
  }
}
