import { addressMatcher } from '../../domain/access/addresses.ts'
import type { UploadSource } from '../../metadata/uploads/upload-batches.ts'
import type { Service } from '../service.ts'
import { uploadsPerQuery, fittingBatch, recordBatchRemoved } from './remove-batch.ts'

/** Uploads per query. Neither address nor owner has an index on the way: all uploads are read once, by their keys. */
const pageSize = 2_000

/**
 * The uploads that came from a network and are not removed, of one user if one is given.
 * @param network in CIDR notation
 */
export async function uploadsFrom(
  { store }: Pick<Service, 'store'>,
  network: string,
  userId?: string,
): Promise<readonly UploadSource[]> {
  const isInside = addressMatcher([network])
  const found: UploadSource[] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const uploads: readonly UploadSource[] = await store.uploadBatches.sources(after, pageSize)
    for (const upload of uploads)
      if (isInside(upload.address) && (userId === undefined || upload.userId === userId)) found.push(upload)
    after = uploads.length < pageSize ? undefined : uploads.at(-1)?.id
  }
  return found
}

/**
 * Removes uploads in batches; each batch is durable.
 * @returns how many were removed; those that something else has removed meanwhile do not count
 */
export async function removeUploads(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  uploads: readonly UploadSource[],
): Promise<number> {
  let removed = 0
  for (let rest = uploads; rest.length > 0;) {
    const batch = fittingBatch(store, rest.slice(0, uploadsPerQuery(store)))
    const ids = batch.map(({ id }) => id)
    removed += await store.transaction((transaction) =>
      recordBatchRemoved(transaction, { ids, now: clock.now() }),
    )
    rest = rest.slice(batch.length)
  }
  return removed
}
