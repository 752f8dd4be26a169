import { fileNotMissing, ServiceError } from '../../domain/errors.ts'
import type { UploadRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import type { Service } from '../service.ts'
import { inAccountingTransaction, LostRaceError, releasedPlace } from '../stats/usage-accounting.ts'
import { placeMs, retakePlace } from './request-limits.ts'

/** The number of uploads per query. */
const batch = 100

type Releaser = Pick<Service, 'store'> & { readonly signal?: AbortSignal | undefined }

/**
 * Releases the places of uploads for which nothing has arrived in time. They can still receive files while the limits of their
 * request have room for them.
 * @param now ms, by the database's clock
 * @param requestId undefined for the uploads of all requests
 */
export async function releasePlaces(
  { store, signal }: Releaser,
  now: number,
  requestId?: string,
): Promise<void> {
  for (;;) {
    const ids = await store.uploads.findEndedPlaces(now, batch, requestId)
    let changed = 0
    for (const id of ids) {
      signal?.throwIfAborted()
      if (await inAccountingTransaction(store, (transaction) => releasePlace(transaction, id, now)))
        changed += 1
    }
    if (ids.length < batch || changed === 0) return
  }
}

/** @throws LostRaceError when the upload has changed, or a file has begun to arrive */
async function releasePlace(
  { uploads, files, resumables, users, requests }: MetadataStore,
  id: string,
  now: number,
): Promise<void> {
  await uploads.lock(id)
  const upload = await uploads.find(id)
  const placeUntil = upload?.placeUntil ?? releasedPlace
  if (upload === undefined || placeUntil === releasedPlace || placeUntil > now) throw new LostRaceError()
  const { userId, requestId } = upload
  const pending = await files.pending(id)
  const isInUse = pending.receiving > 0 || (await resumables.hasBytes(id))
  if (upload.deletedAt !== null || requestId === null || isInUse) {
    await uploads.setPlace(id, now + placeMs)
    return
  }
  // A connection that begins to send a file sets its instance first, and then reads its reservation.
  if ((await files.releasePending(id)) !== pending.files) throw new LostRaceError()
  if (userId !== null && pending.reserved > 0) await users.addUsage(userId, -pending.reserved)
  await requests.addUsage(requestId, { uploads: -1, files: -pending.files, size: -pending.reserved })
  await uploads.setPlace(id, releasedPlace)
}

/**
 * Runs work that counts against the limits of a request. If they are reached, it releases the places of empty uploads, and runs
 * the work again, even when there were none: another instance may have just released them.
 */
export async function withFreedPlaces<Result>(
  service: Pick<Service, 'databaseClock' | 'store'>,
  { requestId }: Pick<UploadRecord, 'requestId'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isFull =
      error instanceof ServiceError && (error.code === 'request_full' || error.code === 'place_taken')
    if (!isFull || requestId === null) throw error
    await freePlaces(service, requestId)
    return work()
  }
}

/**
 * Starts a file that was declared when its upload was created. It counts again if the place of the upload was released.
 * @param start returns whether the file was missing
 * @throws ServiceError `file_not_missing`, and the errors of `retakePlace`
 */
export async function startDeclared(
  service: Pick<Service, 'clock' | 'databaseClock' | 'store'>,
  upload: Pick<UploadRecord, 'id' | 'requestId'>,
  start: (store: MetadataStore) => Promise<boolean>,
): Promise<void> {
  const { store, clock } = service
  const startOnce = async (inside: MetadataStore) => {
    if (!(await start(inside))) throw fileNotMissing()
  }
  if (upload.requestId === null) {
    await startOnce(store)
    return
  }
  await withFreedPlaces(service, upload, () =>
    store.transaction(async (transaction) => {
      await transaction.uploads.lock(upload.id)
      await startOnce(transaction)
      await retakePlace(transaction, upload, clock.now())
    }),
  )
}

/** Releases the places of empty uploads of a request. */
export async function freePlaces(
  { store, databaseClock }: Pick<Service, 'databaseClock' | 'store'>,
  requestId: string,
): Promise<void> {
  const now = await databaseClock.steadyTime()
  if (now !== null) await releasePlaces({ store }, now, requestId)
}
