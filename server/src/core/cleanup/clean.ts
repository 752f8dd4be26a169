import { inAccountingTransaction, accountConsumed, accountRemoved } from '../stats/usage-accounting.ts'
import { checkpointsBefore, removeDeletedTexts } from './checkpoints.ts'
import { deleteRemovedFiles } from './delete-data.ts'
import { requireTrusted } from '../cluster/database-clock.ts'
import { dayOf, daysAfter, retentionDays } from '../../domain/limits/daily-counters.ts'
import { isExpired } from '../../domain/limits/lifetime.ts'
import type { OtherInstances, AbandonedFile } from '../../metadata/files/abandoned-files.ts'
import { finishRemovals, type BatchWork } from '../removal/mass-removal.ts'
import { batchOf, accountBatchRemoved, firstOf, redoneByCleanup } from '../removal/remove-batch.ts'
import { eraseRemoved, releaseFreePages, purgeErased } from './retention.ts'
import type { Service } from '../service.ts'
import { heartbeatTimeoutMs } from '../cluster/heartbeat-timeout.ts'

/** Rows of the smaller tables that are looked up at once. */
const batch = 100

/** What a cleaning did. */
export interface CleanupReport {
  readonly expiredUploads: number
  /** By mass removals. */
  readonly removedUploads: number
  readonly abandonedFiles: number
  readonly deletedFiles: number
  /** Uploads whose data was blanked after their bytes, and whose rows were deleted a while after that. */
  readonly erasedUploads: number
  readonly purgedUploads: number
  readonly failures: number
}

/** What a cleaning counts as it goes on. */
export type CleanupStep = Exclude<keyof CleanupReport, 'failures'>

export type OnProgress = (step: CleanupStep, count: number) => void

interface Cleaner extends Pick<
  Service,
  'store' | 'data' | 'clock' | 'log' | 'inFlight' | 'instance' | 'resumableHashes' | 'config'
> {
  /** Ends the cleaning before the next batch. */
  readonly signal?: AbortSignal
  /** Called with what was done, batch by batch. */
  readonly onProgress?: OnProgress
  /** Waits between two batches, so that others are served. */
  readonly rest?: () => Promise<void>
}

/** One cleaning on demand. @throws WrongClockError, and as `clean` */
export function cleanOnce(service: Cleaner & Pick<Service, 'databaseClock'>): Promise<CleanupReport> {
  requireTrusted(service.databaseClock)
  return clean(service)
}

/**
 * Ends what is past its time and deletes the data of removed files. One failure never stops the rest,
 * and several processes may clean at once: every step is a conditional update or has no effect twice.
 * @param mayJudge whether the silence of other processes means that they are dead (instance.ts)
 * @throws the reason of `signal`
 */
export async function clean(service: Cleaner, mayJudge = true): Promise<CleanupReport> {
  const rest = service.rest && checkpointsBefore(service.rest, service)
  const work = (step: CleanupStep): BatchWork => ({
    signal: service.signal,
    rest,
    onBatch: (count) => service.onProgress?.(step, count),
  })
  const removedUploads = await finishRemovals(service, work('removedUploads'))
  const expiredUploads = await endExpiredUploads(service, work('expiredUploads'))
  const others: OtherInstances = {
    aliveSince: mayJudge ? service.clock.now() - heartbeatTimeoutMs : 0,
    exceptInstance: service.instance,
  }
  const abandonedFiles =
    (await endAbandonedFiles(service, others)) + (await endUnfinishedFiles(service, others))
  service.onProgress?.('abandonedFiles', abandonedFiles)
  await endDeliveredFiles(service)
  await forgetExpired(service)
  const deleted = await deleteRemovedFiles(service, others, work('deletedFiles'))
  const erasedUploads = await eraseRemoved(service, work('erasedUploads'))
  const purgedUploads = await purgeErased(service, service.config.retention, work('purgedUploads'))
  await releaseFreePages(service, { signal: service.signal, rest })
  // Also without such work: requests delete accounts, tokens and sessions, too.
  await removeDeletedTexts(service)
  return { expiredUploads, removedUploads, abandonedFiles, ...deleted, erasedUploads, purgedUploads }
}

async function endExpiredUploads(
  { store, clock }: Cleaner,
  { signal, onBatch, rest }: BatchWork,
): Promise<number> {
  const now = clock.now()
  let ended = 0
  let from = 0
  for (;;) {
    signal?.throwIfAborted()
    const uploads = firstOf(store, await store.uploads.expired(now, batchOf(store), from))
    if (uploads.length === 0) return ended
    from = uploads.at(-1)?.expireAt ?? from
    const ids = uploads.map(({ id }) => id)
    // A download may have moved the end of one meanwhile.
    const isDue = (current: { readonly expireAt: number | null }) => isExpired(current, now)
    const count = await store.transaction(
      (transaction) => accountBatchRemoved(transaction, { ids, now, isDue }),
      redoneByCleanup,
    )
    ended += count
    onBatch?.(count)
    await rest?.()
  }
}

/** What was on its way in when its process died: a stream can be sent again, anything else is removed. */
async function endAbandonedFiles(service: Cleaner, others: OtherInstances): Promise<number> {
  const { store } = service
  let ended = 0
  for await (const file of unheldFiles(service, 'uploading', others)) {
    const upload = await store.uploads.findOwner(file.uploadId)
    const won =
      upload.stream === 1 && upload.deletedAt === null
        ? await store.files.abandon(file, others, 'missing')
        : await inAccountingTransaction(store, (transaction) =>
            accountRemoved(transaction, upload, file.id, () =>
              transaction.files.abandon(file, others, 'removed'),
            ),
          )
    if (won) ended += 1
  }
  await store.instances.removeExpired(others.aliveSince)
  return ended
}

/** What came in pieces, until no other came in time. */
async function endUnfinishedFiles(
  { store, clock, signal }: Cleaner,
  { aliveSince }: OtherInstances,
): Promise<number> {
  const now = clock.now()
  let after = ''
  let ended = 0
  for (;;) {
    const files = await store.resumables.expired(now, aliveSince, after, batch)
    for (const file of files) {
      signal?.throwIfAborted()
      const upload = await store.uploads.findOwner(file.uploadId)
      const won = await inAccountingTransaction(store, (transaction) =>
        accountRemoved(transaction, upload, file.id, () =>
          transaction.resumables.expire(file, now, aliveSince),
        ),
      )
      if (won) ended += 1
    }
    after = files.at(-1)?.id ?? after
    if (files.length < batch) return ended
  }
}

/** Files of a status that no living process is writing, including this one. */
async function* unheldFiles(
  { store, instance, inFlight: receptions, signal }: Cleaner,
  status: 'uploading' | 'removed',
  others: OtherInstances,
): AsyncIterable<AbandonedFile> {
  let after = ''
  for (;;) {
    const files = await store.files.findAbandoned(status, others, after, batch)
    for (const file of files) {
      signal?.throwIfAborted()
      if (file.instance !== instance || !receptions.has(file.id)) yield file
    }
    after = files.at(-1)?.id ?? after
    if (files.length < batch) return
  }
}

/** One-shot files whose last bytes were being sent as their process died: they may have arrived, so they are not served again. */
async function endDeliveredFiles({ store, clock, signal }: Cleaner): Promise<void> {
  const now = clock.now()
  for (;;) {
    const files = await store.files.expiredSealedClaims(now, batch)
    let ended = 0
    for (const file of files) {
      signal?.throwIfAborted()
      const upload = await store.uploads.findOwner(file.uploadId)
      if (
        await inAccountingTransaction(store, (transaction) =>
          accountConsumed(transaction, upload, file, file.claim ?? ''),
        )
      )
        ended += 1
    }
    // Where another instance ended them all, it goes on.
    if (files.length < batch || ended === 0) return
  }
}

/** What is past its time in the tables around the uploads. */
async function forgetExpired({ store, clock }: Cleaner): Promise<void> {
  const now = clock.now()
  await store.sessions.removeExpired(now)
  await store.cliLogins.removeExpired(now)
  await store.attempts.removeExpired(now)
  await store.budgets.removeExpired(now)
  await store.dailyCounters.removeBefore(daysAfter(dayOf(now), 1 - retentionDays))
}
