import { book, bookAllRemoved, bookRemoved, LostFile } from './books.ts'
import { silenceMs } from './instance.ts'
import type { Service } from './service.ts'

export interface CleaningReport {
  readonly expiredUploads: number
  readonly abandonedFiles: number
  readonly deletedFiles: number
  readonly failures: number
}

type Cleaner = Pick<Service, 'store' | 'data' | 'clock' | 'log'>

const batch = 100

/**
 * Ends what is past its time and deletes the data of removed files. One failure never stops the rest,
 * and several processes may clean at once: every step is a conditional update or has no effect twice.
 */
export async function clean(service: Cleaner): Promise<CleaningReport> {
  const expiredUploads = await endExpiredUploads(service)
  const abandonedFiles = await endAbandonedFiles(service)
  await forgetExpired(service)
  return { expiredUploads, abandonedFiles, ...(await deleteRemovedFiles(service)) }
}

async function endExpiredUploads({ store, clock }: Cleaner): Promise<number> {
  const now = clock.now()
  let ended = 0
  for (;;) {
    const uploads = await store.uploads.expired(now, batch)
    for (const upload of uploads) {
      const won = await book(store, async (transaction) => {
        if (!(await transaction.uploads.removeExpired(upload.id, now))) throw new LostFile()
        await bookAllRemoved(transaction, upload)
      })
      if (won) ended += 1
    }
    if (uploads.length < batch) return ended
  }
}

/** What was on its way in when its process died: a stream can be sent again, anything else is removed. */
async function endAbandonedFiles({ store, clock }: Cleaner): Promise<number> {
  const aliveSince = clock.now() - silenceMs
  let ended = 0
  for (;;) {
    const files = await store.files.abandoned(aliveSince, batch)
    for (const file of files) {
      const upload = await store.uploads.owner(file.uploadId)
      const won =
        upload.stream === 1 && upload.deletedAt === null
          ? await store.files.giveBack(file.id, file.instance ?? '')
          : await book(store, (transaction) => bookRemoved(transaction, upload, file.id))
      if (won) ended += 1
    }
    if (files.length < batch) break
  }
  await store.instances.forgetSilent(aliveSince)
  return ended
}

/** What is past its time in the tables around the uploads. */
async function forgetExpired({ store, clock }: Cleaner): Promise<void> {
  const now = clock.now()
  await store.sessions.removeExpired(now)
  await store.cliLogins.removeExpired(now)
  await store.attempts.removeExpired(now)
}

async function deleteRemovedFiles({
  store,
  data,
  log,
}: Cleaner): Promise<Pick<CleaningReport, 'deletedFiles' | 'failures'>> {
  let deletedFiles = 0
  let failures = 0
  let after = ''
  for (;;) {
    const ids = await store.files.removed(after, batch)
    for (const id of ids) {
      try {
        await data.remove(id)
        if (await store.files.erase(id)) deletedFiles += 1
      } catch (error) {
        failures += 1
        log.error(
          { err: error, file: id },
          'the data of a removed file could not be deleted, the next cleaning tries again',
        )
      }
    }
    after = ids.at(-1) ?? after
    if (ids.length < batch) return { deletedFiles, failures }
  }
}
