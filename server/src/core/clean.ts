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
  const abandonedFiles = await removeAbandonedFiles(service)
  return { expiredUploads, abandonedFiles, ...(await deleteRemovedFiles(service)) }
}

async function endExpiredUploads({ store, clock }: Cleaner): Promise<number> {
  const now = clock.now()
  let ended = 0
  for (;;) {
    const ids = await store.uploads.expired(now, batch)
    for (const id of ids) {
      await store.transaction(async (transaction) => {
        if (!(await transaction.uploads.removeExpired(id, now))) return
        await transaction.files.removeAll(id)
        ended += 1
      })
    }
    if (ids.length < batch) return ended
  }
}

async function removeAbandonedFiles({ store, clock }: Cleaner): Promise<number> {
  const aliveSince = clock.now() - silenceMs
  const removed = await store.files.removeAbandoned(aliveSince)
  await store.instances.forgetSilent(aliveSince)
  return removed
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
