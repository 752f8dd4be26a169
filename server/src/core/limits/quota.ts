import { effectiveLimits } from '@svc/contract'
import { quotaReached, type ServiceError } from '../../domain/errors.ts'
import type { FileRecord, UploadRecord, UserRecord } from '../../domain/records.ts'
import { LostRaceError } from '../stats/usage-accounting.ts'
import type { Service } from '../service.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { reserveSize, retakePlace } from './request-limits.ts'
import { withFreedPlaces } from './request-places.ts'

/**
 * The bytes that are reserved at a time while the size of a file is unknown: a compromise between many writes and unused
 * quota.
 */
const reservationStep = 16 * 1024 * 1024

/** The quota of the owner, and the bytes of a request, that an arriving file has reserved. */
export interface Reservation {
  /** Bytes. */
  readonly reserved: () => number
  /**
   * Passes chunks on as soon as there is quota for them.
   * @param received bytes of the file that arrived before
   * @throws ServiceError `quota_reached`, `request_full`
   */
  cover(chunks: AsyncIterable<Uint8Array>, received?: number): AsyncIterable<Uint8Array>
}

/**
 * Reserves bytes for a file that begins or continues to arrive, of the quota of its owner and of the request that receives
 * it, so that parallel uploads cannot exceed either together.
 * @param owner null for an anonymous upload, which has no quota
 * @param expectedSize the announced minimum size in bytes
 * @throws ServiceError `quota_reached`, `request_full` when the file cannot fit, and the errors of `retakePlace`
 */
export async function reserveQuota(
  service: Pick<Service, 'clock' | 'config' | 'databaseClock' | 'store'>,
  {
    owner,
    upload,
  }: { readonly owner: UserRecord | null; readonly upload: Pick<UploadRecord, 'id' | 'requestId'> },
  file: FileRecord,
  expectedSize: number,
): Promise<Reservation> {
  const { maxUserSize: max } = effectiveLimits(owner, service.config)
  // A reservation from a time at which there was a limit stays.
  const isLimited = (owner !== null && max >= 0) || upload.requestId !== null
  if (!isLimited) return { reserved: () => file.reserved, cover: (chunks) => chunks }
  let { reserved } = file
  /** @returns the error, with nothing reserved, or null */
  const reserve = async (bytes: number): Promise<ServiceError | null> => {
    const refusal = await service.store.transaction(async (transaction) => {
      if (upload.requestId !== null) await transaction.uploads.lock(upload.id)
      if (!(await transaction.files.reserve(file, bytes))) throw new LostRaceError()
      const refused = await reserveUsage(transaction, { owner, max, upload }, bytes)
      if (refused !== null) await transaction.files.reserve(file, -bytes)
      else await retakePlace(transaction, upload, service.clock.now())
      return refused
    })
    if (refusal === null) reserved += bytes
    return refusal
  }
  const require = async (bytes: number): Promise<void> => {
    await withFreedPlaces(service, upload, async () => {
      const refusal = await reserve(bytes)
      if (refusal !== null) throw refusal
    })
  }
  if (expectedSize > reserved) await require(expectedSize - reserved)

  async function* cover(chunks: AsyncIterable<Uint8Array>, received = 0) {
    let arrived = received
    for await (const chunk of chunks) {
      arrived += chunk.length
      const missing = arrived - reserved
      const reserveStep = () => reserve(Math.max(missing, reservationStep))
      if (missing > 0 && (await withFreedPlaces(service, upload, reserveStep)) !== null)
        await require(missing)
      yield chunk
    }
  }
  return { reserved: () => reserved, cover }
}

interface Usage {
  readonly owner: UserRecord | null
  /** The quota of the owner in bytes; negative means unlimited. */
  readonly max: number
  readonly upload: Pick<UploadRecord, 'requestId'>
}

/** @returns the error, with nothing reserved, or null */
async function reserveUsage(
  transaction: MetadataStore,
  { owner, max, upload }: Usage,
  bytes: number,
): Promise<ServiceError | null> {
  const { users } = transaction
  if (
    owner !== null &&
    !(await users.addUsageWithin(owner.id, bytes, max < 0 ? Number.MAX_SAFE_INTEGER : max))
  )
    return quotaReached(max)
  const refusal = await reserveSize(transaction, upload, bytes)
  if (refusal !== null && owner !== null) await users.addUsage(owner.id, -bytes)
  return refusal
}
