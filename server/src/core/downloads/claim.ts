import { downloadInProgress, fileNotFound, type ServiceError } from '../../domain/errors.ts'
import type { Clock } from '../../domain/clock.ts'
import { randomId } from '../../domain/ids.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { inAccountingTransaction, accountBroken, accountConsumed } from '../stats/usage-accounting.ts'
import type { Base, Metadata, Service } from '../service.ts'

/** A claim of a dead process lapses after this; within two minutes even where two clocks differ by 30 s. */
const leaseMs = 90_000
const renewMs = 30_000

/** Broken downloads of more than half of a file after which it counts as downloaded. */
const maxBrokenDownloads = 3

/** Between two attempts to use up a file that was downloaded. */
const consumeMs = 1_000

/** The right to download a one-shot file, which nobody else has as long as it is held. */
export interface Claim {
  /**
   * Before the last bytes: makes sure that the claim is still held, and writes down that they may arrive. Whatever happens
   * from here on, a power cut included, the file is not served again unless this download is known to have broken off.
   * @throws ServiceError `download_in_progress`, `file_not_found` when the claim was lost, so that nothing more must be sent
   */
  seal(): Promise<void>
  /** After the last byte: the file is used up. */
  consume(): Promise<void>
  /** After a broken download: the file is there again for the next one. @param sent bytes the client got before it broke off */
  release(sent: number): Promise<void>
}

/**
 * Claims a file of a one-shot upload. Two claims cannot both succeed, in whatever processes.
 * @throws ServiceError `download_in_progress`, `file_not_found`
 */
export async function claimFile(
  service: Base & Metadata,
  upload: UploadRecord,
  file: FileRecord,
): Promise<Claim> {
  const { store, clock, databaseClock, random, log } = service
  const claim = randomId(random)
  const take = (lapsedAt: number) => store.files.claim(file, claim, lapsedAt, clock.now() + leaseMs)
  const takeFree = () => take(0)
  const takeLapsed = async () => {
    const now = await databaseClock.judgement()
    return now !== null && (await take(now))
  }
  // One that was taken, and nobody could say so, is taken once more: else everybody would wait for its end.
  if (!(await takeFree().catch(takeFree)) && !(await takeLapsed())) throw await refusalOf(service, file)

  const stopRenewing = clock.every(renewMs, () => {
    store.files.renewClaim(file, claim, clock.now() + leaseMs).catch((error: unknown) => {
      log.warn({ err: error, file: file.id }, 'the claim of a one-shot download could not be renewed')
    })
  })

  return {
    async seal() {
      const end = () => store.files.seal(file, claim, clock.now() + leaseMs)
      // To seal twice does no harm; a connection that was lost just now is no reason to break off a download.
      if (!(await end().catch(end))) throw await refusalOf(service, file)
    },
    async consume() {
      stopRenewing()
      const end = async () => {
        await inAccountingTransaction(store, (transaction) =>
          accountConsumed(transaction, upload, file, claim),
        )
      }
      try {
        await end()
      } catch (error) {
        // The client has every byte, so nobody else may get one: as soon as the database is back, before others.
        log.error({ err: error, file: file.id }, 'a file that was downloaded could not be used up yet')
        untilDone(clock, end)
      }
    },
    async release(sent) {
      stopRenewing()
      const counts = sent * 2 > file.fileSize ? 1 : 0
      if (counts === 0) await store.files.release(file, claim, counts)
      else
        await inAccountingTransaction(store, (transaction) =>
          accountBroken(transaction, upload, file.id, claim, maxBrokenDownloads),
        )
    },
  }
}

/** Why a file cannot be downloaded: another download has it, or it is gone. */
async function refusalOf(
  { store, clock }: Pick<Service, 'clock' | 'store'>,
  file: FileRecord,
): Promise<ServiceError> {
  const current = await store.files.find(file.uploadId, file.id)
  const isDelivered = current?.sealed === 1 && (current.claimUntil ?? 0) <= clock.now()
  return current?.status === 'uploaded' && !isDelivered ? downloadInProgress() : fileNotFound()
}

/** Tries some work again and again, one attempt at a time, until it succeeds. */
function untilDone(clock: Clock, work: () => Promise<void>): void {
  let trying = false
  const stop = clock.every(consumeMs, () => {
    if (trying) return
    trying = true
    work().then(stop, () => {
      trying = false
    })
  })
}
