import { inAccountingTransaction, recordConsumed, recordRemoved } from '../stats/usage-accounting.ts'
import { deleteRemovedFiles } from './delete-data.ts'
import { endExpiredClaims } from './expired-claims.ts'
import { independentSteps, type IndependentSteps } from './independent-steps.ts'
import { requireTrusted } from '../cluster/database-clock.ts'
import { dayOf, daysAfter, retentionDays } from '../../domain/limits/daily-stats.ts'
import { isExpired } from '../../domain/limits/lifetime.ts'
import type { OtherInstances, AbandonedFile } from '../../metadata/files/abandoned-files.ts'
import { releasePlaces } from '../limits/request-places.ts'
import { finishRemovals, type BatchWork } from '../removal/mass-removal.ts'
import { finishRequestRemovals, purgeRequests } from '../removal/remove-received.ts'
import {
  uploadsPerQuery,
  recordBatchRemoved,
  fittingBatch,
  repeatableByCleanup,
} from '../removal/remove-batch.ts'
import { blankRemoved, releaseFreePages, purgeBlanked } from './retention.ts'
import type { Service } from '../service.ts'
import { heartbeatTimeoutMs } from '../cluster/heartbeat-timeout.ts'

/** The number of rows per query of the smaller tables. */
const pageSize = 100

/** How long a delivery can be seen and replayed after it has ended, in ms. */
const deliveryRetentionMs = 7 * 86_400_000

/** How long events are kept for streams of events, in ms. */
const eventRetentionMs = 86_400_000

/** The result of a cleanup. */
export interface CleanupReport {
  readonly expiredUploads: number
  /** Uploads that mass removals removed. */
  readonly removedUploads: number
  /** Files that a crashed instance was receiving. */
  readonly abandonedFiles: number
  /** Resumable files that received no part in time. */
  readonly unfinishedFiles: number
  readonly deletedFiles: number
  /** Removed uploads whose data was blanked after their bytes were deleted. */
  readonly blankedUploads: number
  /** Blanked uploads whose rows were deleted. */
  readonly purgedUploads: number
  /** Files whose bytes could not be deleted; the next cleanup tries again. */
  readonly failedDeletions: number
}

/** The counts that a cleanup reports while it runs. */
export type CleanupStep = Exclude<keyof CleanupReport, 'failedDeletions'>

export type OnProgress = (step: CleanupStep, count: number) => void

type Cleaner = Pick<
  Service,
  'store' | 'data' | 'clock' | 'log' | 'inFlight' | 'instance' | 'resumableHashes' | 'config'
>

export interface CleanupOptions {
  /** Ends the cleanup before the next batch. */
  readonly signal?: AbortSignal
  /** Called with the count of each batch. */
  readonly onProgress?: OnProgress
  /** Waits between two batches, so that requests are served. */
  readonly pause?: () => Promise<void>
  /**
   * Whether instances without a heartbeat count as dead. False after an outage of the database, in which live instances missed
   * heartbeats, too (`cluster/heartbeat.ts`).
   */
  readonly canDeclareDead?: boolean
}

/**
 * Runs a cleanup on demand.
 * @throws WrongClockError, and the errors of `clean`
 */
export function cleanOnce(
  service: Cleaner & Pick<Service, 'databaseClock'>,
  options: Pick<CleanupOptions, 'onProgress'> = {},
): Promise<CleanupReport> {
  requireTrusted(service.databaseClock)
  return clean(service, options)
}

/**
 * Removes expired uploads and files of crashed instances, and deletes the data of removed files. A failed step does
 * not stop the others. Several instances can run it at the same time: every step is a conditional update, or has no
 * effect when it is repeated.
 * @throws the reason of `signal`; after all other steps, the error of a failed one, an `AggregateError` of several
 */
export async function clean(
  service: Cleaner,
  { signal, onProgress, pause, canDeclareDead = true }: CleanupOptions = {},
): Promise<CleanupReport> {
  const work = (step: CleanupStep): BatchWork => ({
    signal,
    pause,
    onBatch: (count) => onProgress?.(step, count),
  })
  const others: OtherInstances = {
    aliveSince: canDeclareDead ? service.clock.now() - heartbeatTimeoutMs : 0,
    exceptInstance: service.instance,
  }
  const steps = independentSteps(signal)
  const run = (step: () => Promise<unknown>) => steps.run<unknown>(step, undefined)
  const count = (step: () => Promise<number>) => steps.run(step, 0)

  const removedUploads = await count(() => finishRemovals(service, work('removedUploads')))
  await run(() => finishRequestRemovals(service, { signal, pause }))
  await run(() => releasePlaces(service, service.clock.now()))
  const expiredUploads = await count(() => endExpiredUploads(service, work('expiredUploads')))
  const abandoned = await count(() => endAbandonedFiles(service, others, signal))
  onProgress?.('abandonedFiles', abandoned)
  const unfinished = await count(() => endUnfinishedFiles(service, others, signal))
  onProgress?.('unfinishedFiles', unfinished)
  await run(() => endSealedClaims(service, signal))
  await run(() => endExpiredClaims(service))
  await deleteExpiredRows(service, steps, signal)
  const deleted = await steps.run(() => deleteRemovedFiles(service, others, work('deletedFiles')), {
    deletedFiles: 0,
    failedDeletions: 0,
  })
  const blankedUploads = await count(() => blankRemoved(service, work('blankedUploads')))
  const { retention } = service.config
  const purgedUploads = await count(() => purgeBlanked(service, retention, work('purgedUploads')))
  await run(() => purgeRequests(service, retention, { signal, pause }))
  await run(() => releaseFreePages(service, { signal, pause }))
  // In every cleanup, because requests also delete users, tokens and sessions.
  await service.store.truncateLog().catch((error: unknown) => {
    // The next cleanup tries again.
    service.log.debug({ err: error }, 'write-ahead log not truncated')
  })
  steps.throwErrors()
  return {
    expiredUploads,
    removedUploads,
    abandonedFiles: abandoned,
    unfinishedFiles: unfinished,
    ...deleted,
    blankedUploads,
    purgedUploads,
  }
}

async function endExpiredUploads(
  { store, clock }: Cleaner,
  { signal, onBatch, pause }: BatchWork,
): Promise<number> {
  const now = clock.now()
  let ended = 0
  let expiredFrom = 0
  for (;;) {
    signal?.throwIfAborted()
    const uploads = fittingBatch(store, await store.uploads.expired(now, uploadsPerQuery(store), expiredFrom))
    if (uploads.length === 0) return ended
    expiredFrom = uploads.at(-1)?.expireAt ?? expiredFrom
    const ids = uploads.map(({ id }) => id)
    // A download may have extended the expiry of an upload meanwhile.
    const isDue = (current: { readonly expireAt: number | null }) => isExpired(current, now)
    const count = await store.transaction(
      (transaction) => recordBatchRemoved(transaction, { ids, now, isDue }),
      repeatableByCleanup,
    )
    ended += count
    onBatch?.(count)
    await pause?.()
  }
}

/** Ends files that a crashed instance was receiving: a stream becomes `missing`, any other file `removed`. */
async function endAbandonedFiles(
  service: Cleaner,
  others: OtherInstances,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { store } = service
  let ended = 0
  for await (const file of abandonedFiles(service, others, signal)) {
    const upload = await store.uploads.findOwner(file.uploadId)
    const won =
      upload.stream === 1 && upload.deletedAt === null
        ? await store.files.endAbandoned(file, others, 'missing')
        : await inAccountingTransaction(store, (transaction) =>
            recordRemoved(transaction, upload, file.id, () =>
              transaction.files.endAbandoned(file, others, 'removed'),
            ),
          )
    if (won) ended += 1
  }
  await store.instances.removeExpired(others.aliveSince)
  return ended
}

/** Removes resumable files that received no part in time. */
async function endUnfinishedFiles(
  { store, clock }: Cleaner,
  { aliveSince }: OtherInstances,
  signal: AbortSignal | undefined,
): Promise<number> {
  const now = clock.now()
  let after = ''
  let ended = 0
  for (;;) {
    const files = await store.resumables.expired(now, aliveSince, after, pageSize)
    for (const file of files) {
      signal?.throwIfAborted()
      const upload = await store.uploads.findOwner(file.uploadId)
      const won = await inAccountingTransaction(store, (transaction) =>
        recordRemoved(transaction, upload, file.id, () =>
          transaction.resumables.expire(file, now, aliveSince),
        ),
      )
      if (won) ended += 1
    }
    after = files.at(-1)?.id ?? after
    if (files.length < pageSize) return ended
  }
}

/** Files with the status `uploading` that no live instance, this one included, is writing. */
async function* abandonedFiles(
  { store, instance, inFlight }: Cleaner,
  others: OtherInstances,
  signal: AbortSignal | undefined,
): AsyncIterable<AbandonedFile> {
  let after = ''
  for (;;) {
    const files = await store.files.findAbandoned('uploading', others, after, pageSize)
    for (const file of files) {
      signal?.throwIfAborted()
      if (file.instance !== instance || !inFlight.has(file.id)) yield file
    }
    after = files.at(-1)?.id ?? after
    if (files.length < pageSize) return
  }
}

/**
 * Consumes one-shot files with an expired, sealed claim. Their last bytes may have arrived before the instance crashed,
 * so they are not served again.
 */
async function endSealedClaims({ store, clock }: Cleaner, signal: AbortSignal | undefined): Promise<void> {
  const now = clock.now()
  for (;;) {
    const files = await store.files.expiredSealedClaims(now, pageSize)
    let ended = 0
    for (const file of files) {
      signal?.throwIfAborted()
      const upload = await store.uploads.findOwner(file.uploadId)
      if (
        await inAccountingTransaction(store, (transaction) =>
          recordConsumed(transaction, upload, file, file.claim ?? ''),
        )
      )
        ended += 1
    }
    // If another instance ended all of them, it also continues with the rest.
    if (files.length < pageSize || ended === 0) return
  }
}

/** Deletes expired rows. */
async function deleteExpiredRows(
  { store, clock }: Cleaner,
  steps: IndependentSteps,
  signal: AbortSignal | undefined,
): Promise<void> {
  const now = clock.now()
  const deletions = [
    () => store.sessions.removeExpired(now),
    () => store.cliLogins.removeExpired(now),
    () => store.attempts.removeExpired(now),
    () => store.budgets.removeExpired(now),
    () => store.aliases.removeExpired(now),
    () => store.events.removeBefore(now - eventRetentionMs),
    async () => {
      while (
        (await store.outbox.removeFinished(now - deliveryRetentionMs, store.batchRows)) === store.batchRows
      )
        signal?.throwIfAborted()
    },
    () => store.dailyStats.removeBefore(daysAfter(dayOf(now), 1 - retentionDays)),
  ]
  for (const deletion of deletions) await steps.run<unknown>(deletion, undefined)
}
