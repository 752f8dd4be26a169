import { downloadInProgress, fileNotFound, type ServiceError } from '../../domain/errors.ts'
import type { Clock } from '../../domain/clock.ts'
import { randomId } from '../../domain/ids.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { inAccountingTransaction, recordBrokenDownload, recordConsumed } from '../stats/usage-accounting.ts'
import type { Base, Metadata, Service } from '../service.ts'

/** The lease of a claim. Claims of a dead process expire within two minutes, even if two clocks differ by 30 s. */
const leaseMs = 90_000
const renewMs = 30_000

/** After this many interrupted downloads of more than half of a file, the file counts as downloaded. */
const maxBrokenDownloads = 3

/** The interval between two attempts to mark a file as downloaded. */
const consumeMs = 1_000

/** The exclusive right to download a one-shot file. */
export interface Claim {
  /**
   * Called before the last bytes. Confirms that the claim is still held, and records that the bytes may arrive. From
   * here on, even after a power cut, the file is served again only if this download is known to have failed.
   * @throws ServiceError `download_in_progress`, `file_not_found` when the claim was lost: no more bytes may be sent
   */
  seal(): Promise<void>
  /** Called after the last byte: the file counts as downloaded. */
  consume(): Promise<void>
  /**
   * Called after an interrupted download: the file becomes available again.
   * @param sent bytes that the client received
   */
  release(sent: number): Promise<void>
}

/**
 * Claims a file of a one-shot upload. At most one claim succeeds, across all processes.
 * @throws ServiceError `download_in_progress`, `file_not_found`
 */
export async function claimFile(
  service: Base & Metadata,
  upload: UploadRecord,
  file: Pick<FileRecord, 'id' | 'uploadId' | 'fileSize'>,
): Promise<Claim> {
  const { store, clock, databaseClock, random, log } = service
  const claim = randomId(random)
  const take = (expiredBefore: number) => store.files.claim(file, claim, expiredBefore, clock.now() + leaseMs)
  const takeFree = () => take(0)
  const takeExpired = async () => {
    const now = await databaseClock.steadyTime()
    return now !== null && (await take(now))
  }
  // The database may have taken the claim without a response. The same claim can be taken again. Without the retry, every
  // download would wait until the claim expires.
  if (!(await takeFree().catch(takeFree)) && !(await takeExpired()))
    throw await unavailableError(service, file)

  const stopRenewing = clock.every(renewMs, () => {
    store.files.renewClaim(file, claim, clock.now() + leaseMs).catch((error: unknown) => {
      log.warn({ err: error, file: file.id }, 'the claim of a one-shot download could not be renewed')
    })
  })

  return {
    async seal() {
      const end = () => store.files.sealClaim(file, claim, clock.now() + leaseMs)
      // A second seal has no effect, and a lost database connection must not interrupt the download.
      if (!(await end().catch(end))) throw await unavailableError(service, file)
    },
    async consume() {
      stopRenewing()
      const end = async () => {
        await inAccountingTransaction(store, (transaction) =>
          recordConsumed(transaction, upload, file, claim),
        )
      }
      try {
        await end()
      } catch (error) {
        // The client has every byte, so no other download may start. The update is repeated until the database responds.
        log.error({ err: error, file: file.id }, 'a downloaded file could not be marked as downloaded yet')
        untilDone(clock, end)
      }
    },
    async release(sent) {
      stopRenewing()
      const counts = sent * 2 > file.fileSize ? 1 : 0
      if (counts === 0) await store.files.releaseClaim(file, claim, counts)
      else
        await inAccountingTransaction(store, (transaction) =>
          recordBrokenDownload(transaction, upload, file.id, claim, maxBrokenDownloads),
        )
    },
  }
}

/** The error for a file that cannot be claimed: another download holds it, or the file is gone. */
async function unavailableError(
  { store, clock }: Pick<Service, 'clock' | 'store'>,
  file: Pick<FileRecord, 'id' | 'uploadId'>,
): Promise<ServiceError> {
  const current = await store.files.find(file.uploadId, file.id)
  const isDelivered = current?.sealed === 1 && (current.claimUntil ?? 0) <= clock.now()
  return current?.status === 'uploaded' && !isDelivered ? downloadInProgress() : fileNotFound()
}

/** Repeats some work, one attempt at a time, until it succeeds. */
function untilDone(clock: Clock, work: () => Promise<void>): void {
  let running = false
  const stop = clock.every(consumeMs, () => {
    if (running) return
    running = true
    work().then(stop, () => {
      running = false
    })
  })
}
