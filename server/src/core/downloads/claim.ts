import { downloadLimit, downloadsLeft } from '../../domain/limits/download-limit.ts'
import { downloadInProgress, type ServiceError } from '../../domain/errors.ts'
import { fileNotFound } from '../../domain/not-found-errors.ts'
import type { Clock } from '../../domain/clock.ts'
import { randomId } from '../../domain/ids.ts'
import type { UploadRecord } from '../../domain/records.ts'
import { storedClaim, type FileToClaim } from './stored-claim.ts'
import type { Base, Metadata, Service } from '../service.ts'

/** The lease of a claim. Claims of a dead instance expire within two minutes, even if two clocks differ by 30 s. */
const leaseMs = 90_000
const renewMs = 30_000

/** The interval between two attempts to count a download. */
const consumeMs = 1_000

/** The right to one of the downloads that a file has left. */
export interface Claim {
  /**
   * Called before the last bytes. Confirms that the claim is still held, and records that the bytes may arrive. From
   * here on, even after a power cut, the file is served again only if this download is known to have failed.
   * @throws ServiceError `download_in_progress`, `file_not_found` when the claim was lost: no more bytes may be sent
   */
  seal(): Promise<void>
  /** Called after the last byte: the download counts. */
  consume(): Promise<void>
  /**
   * Called after an interrupted download: the file becomes available again.
   * @param sent bytes that the client received
   */
  release(sent: number): Promise<void>
}

/**
 * Claims a download of a file with a limit. At most as many claims succeed as it has downloads left, across all instances.
 * @throws ServiceError `download_in_progress`, `file_not_found`
 */
export async function claimFile(
  service: Base & Metadata,
  upload: UploadRecord,
  file: FileToClaim,
): Promise<Claim> {
  const { store, clock, databaseClock, random, log } = service
  const claim = storedClaim(store, upload, file, randomId(random))
  const lease = () => clock.now() + leaseMs
  const takeFree = () => claim.take(0, lease())
  const takeExpired = async () => {
    const now = await databaseClock.steadyTime()
    return now !== null && (await claim.take(now, lease()))
  }
  // The database may have taken the claim without a response. The same claim can be taken again. Without the retry, every
  // download would wait until the claim expires.
  if (!(await takeFree().catch(takeFree)) && !(await takeExpired()))
    throw await unavailableError(service, upload, file)

  const stopRenewing = clock.every(renewMs, () => {
    claim.renew(lease()).catch((error: unknown) => {
      log.warn({ err: error, file: file.id }, 'the claim of a limited download could not be renewed')
    })
  })

  return {
    async seal() {
      const sealOnce = () => claim.seal(lease())
      // A second seal has no effect, and a lost database connection must not interrupt the download.
      if (!(await sealOnce().catch(sealOnce))) throw await unavailableError(service, upload, file)
    },
    async consume() {
      stopRenewing()
      try {
        await claim.consume()
      } catch (error) {
        // The client has every byte, so the download must count. The update is repeated until the database responds.
        log.error({ err: error, file: file.id }, 'a download could not be counted yet')
        untilDone(clock, () => claim.consume())
      }
    },
    async release(sent) {
      stopRenewing()
      await (sent * 2 > file.fileSize ? claim.releaseBroken() : claim.release())
    },
  }
}

/** The error for a file that cannot be claimed: other downloads hold all its claims, or the file is gone. */
async function unavailableError(
  { store, clock }: Pick<Service, 'clock' | 'store'>,
  upload: UploadRecord,
  file: FileToClaim,
): Promise<ServiceError> {
  const current = await store.files.find(file.uploadId, file.id)
  if (current === undefined) return fileNotFound()
  const isDelivered = current.sealed === 1 && (current.claimUntil ?? 0) <= clock.now()
  const hasMore = downloadsLeft(current, downloadLimit(upload) ?? 1) > 0
  return current.status === 'uploaded' && hasMore && !isDelivered ? downloadInProgress() : fileNotFound()
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
