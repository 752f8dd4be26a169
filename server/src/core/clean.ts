import { book, bookAllRemoved, bookConsumed, bookRemoved } from './books.ts'
import { dayOf, daysAfter, keptDays } from '../domain/daily-figures.ts'
import { isExpired } from '../domain/lifetime.ts'
import { silenceMs } from './silence.ts'
import type { Others, UnheldFile } from '../metadata/files.ts'
import { removeData } from './resumable/discard.ts'
import type { Service } from './service.ts'

export interface CleaningReport {
  readonly expiredUploads: number
  readonly abandonedFiles: number
  readonly deletedFiles: number
  readonly failures: number
}

interface Cleaner extends Pick<
  Service,
  'store' | 'data' | 'clock' | 'log' | 'receptions' | 'instance' | 'liveHashes'
> {
  /** Ends the cleaning before the next upload or file. */
  readonly signal?: AbortSignal
}

const batch = 100

/**
 * Ends what is past its time and deletes the data of removed files. One failure never stops the rest,
 * and several processes may clean at once: every step is a conditional update or has no effect twice.
 * @param mayJudge whether the silence of other processes means that they are dead (instance.ts)
 * @throws the reason of `signal`
 */
export async function clean(service: Cleaner, mayJudge = true): Promise<CleaningReport> {
  const expiredUploads = await endExpiredUploads(service)
  const others: Others = {
    aliveSince: mayJudge ? service.clock.now() - silenceMs : 0,
    but: service.instance,
  }
  const abandonedFiles =
    (await endAbandonedFiles(service, others)) + (await endUnfinishedFiles(service, others))
  await endDeliveredFiles(service)
  await forgetExpired(service)
  return { expiredUploads, abandonedFiles, ...(await deleteRemovedFiles(service, others)) }
}

async function endExpiredUploads({ store, clock, signal }: Cleaner): Promise<number> {
  const now = clock.now()
  let ended = 0
  for (;;) {
    const uploads = await store.uploads.expired(now, batch)
    for (const upload of uploads) {
      signal?.throwIfAborted()
      // A download may have moved the end meanwhile.
      const won = await book(store, (transaction) =>
        bookAllRemoved(transaction, upload, now, (current) => isExpired(current, now)),
      )
      if (won) ended += 1
    }
    if (uploads.length < batch) return ended
  }
}

/** What was on its way in when its process died: a stream can be sent again, anything else is removed. */
async function endAbandonedFiles(service: Cleaner, others: Others): Promise<number> {
  const { store } = service
  let ended = 0
  for await (const file of unheldFiles(service, 'uploading', others)) {
    const upload = await store.uploads.owner(file.uploadId)
    const won =
      upload.stream === 1 && upload.deletedAt === null
        ? await store.files.abandon(file.id, others, 'missing')
        : await book(store, (transaction) =>
            bookRemoved(transaction, upload, file.id, () =>
              transaction.files.abandon(file.id, others, 'removed'),
            ),
          )
    if (won) ended += 1
  }
  await store.instances.forgetSilent(others.aliveSince)
  return ended
}

/** What came in pieces, until no other came in time. */
async function endUnfinishedFiles(
  { store, clock, signal }: Cleaner,
  { aliveSince }: Others,
): Promise<number> {
  const now = clock.now()
  let after = ''
  let ended = 0
  for (;;) {
    const files = await store.resumables.expired(now, aliveSince, after, batch)
    for (const { fileId, uploadId } of files) {
      signal?.throwIfAborted()
      const upload = await store.uploads.owner(uploadId)
      const won = await book(store, (transaction) =>
        bookRemoved(transaction, upload, fileId, () =>
          transaction.resumables.expire(fileId, now, aliveSince),
        ),
      )
      if (won) ended += 1
    }
    after = files.at(-1)?.fileId ?? after
    if (files.length < batch) return ended
  }
}

/** Files of a status that nobody is writing: neither another process that lives, nor this one. */
async function* unheldFiles(
  { store, instance, receptions, signal }: Cleaner,
  status: 'uploading' | 'removed',
  others: Others,
): AsyncIterable<UnheldFile> {
  let after = ''
  for (;;) {
    const files = await store.files.unheld(status, others, after, batch)
    for (const file of files) {
      signal?.throwIfAborted()
      if (file.instance !== instance || !receptions.has(file.id)) yield file
    }
    after = files.at(-1)?.id ?? after
    if (files.length < batch) return
  }
}

/** One-shot files whose last bytes were being sent as their process died: they may have arrived, so nobody gets them again. */
async function endDeliveredFiles({ store, clock, signal }: Cleaner): Promise<void> {
  const now = clock.now()
  for (;;) {
    const files = await store.files.lapsedSeals(now, batch)
    let ended = 0
    for (const file of files) {
      signal?.throwIfAborted()
      const upload = await store.uploads.owner(file.uploadId)
      if (await book(store, (transaction) => bookConsumed(transaction, upload, file, file.claim ?? '')))
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
  await store.dailyFigures.removeBefore(daysAfter(dayOf(now), 1 - keptDays))
}

/** What is still being written waits: its end could come after the deletion, and a crash leave it for ever. */
async function deleteRemovedFiles(
  service: Cleaner,
  others: Others,
): Promise<Pick<CleaningReport, 'deletedFiles' | 'failures'>> {
  const { store, log, liveHashes } = service
  let deletedFiles = 0
  let failures = 0
  for await (const { id } of unheldFiles(service, 'removed', others)) {
    try {
      liveHashes.forget(id)
      await removeData(service, id)
      const won = await store.transaction(async (transaction) => {
        await transaction.resumables.forget(id)
        return transaction.files.erase(id)
      })
      if (won) deletedFiles += 1
    } catch (error) {
      failures += 1
      log.error(
        { err: error, file: id },
        'the data of a removed file could not be deleted, the next cleaning tries again',
      )
    }
  }
  return { deletedFiles, failures }
}
