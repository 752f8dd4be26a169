import { effectiveLimits } from '@svc/contract'
import { quotaReached } from '../../domain/errors.ts'
import type { FileRecord, UserRecord } from '../../domain/records.ts'
import { LostRaceError } from '../stats/usage-accounting.ts'
import type { Service } from '../service.ts'

/**
 * The bytes that are reserved at a time while the size of a file is unknown: a compromise between many writes and unused
 * quota.
 */
const reservationStep = 16 * 1024 * 1024

/** The quota of the owner that an arriving file has reserved. */
export interface Reservation {
  /** Bytes. */
  readonly reserved: () => number
  /**
   * Passes chunks on as soon as there is quota for them.
   * @param received bytes of the file that arrived before
   * @throws ServiceError `quota_reached`
   */
  cover(chunks: AsyncIterable<Uint8Array>, received?: number): AsyncIterable<Uint8Array>
}

/**
 * Reserves quota for a file that begins or continues to arrive, so that parallel uploads cannot exceed the quota
 * together.
 * @param owner null for an anonymous upload, which has no quota
 * @param expectedSize the announced minimum size in bytes
 * @throws ServiceError `quota_reached` when the file cannot fit
 */
export async function reserveQuota(
  service: Pick<Service, 'config' | 'store'>,
  owner: UserRecord | null,
  file: FileRecord,
  expectedSize: number,
): Promise<Reservation> {
  const { maxUserSize: max } = effectiveLimits(owner, service.config)
  // A reservation from a time at which there was a limit stays.
  if (owner === null || max < 0) return { reserved: () => file.reserved, cover: (chunks) => chunks }
  let { reserved } = file
  const reserve = async (bytes: number): Promise<boolean> => {
    const isReserved = await service.store.transaction(async (transaction) => {
      if (!(await transaction.files.reserve(file, bytes))) throw new LostRaceError()
      if (await transaction.users.addUsageWithin(owner.id, bytes, max)) return true
      await transaction.files.reserve(file, -bytes)
      return false
    })
    if (isReserved) reserved += bytes
    return isReserved
  }
  if (expectedSize > reserved && !(await reserve(expectedSize - reserved))) throw quotaReached(max)

  async function* cover(chunks: AsyncIterable<Uint8Array>, received = 0) {
    let arrived = received
    for await (const chunk of chunks) {
      arrived += chunk.length
      const missing = arrived - reserved
      if (missing > 0 && !(await reserve(Math.max(missing, reservationStep))) && !(await reserve(missing)))
        throw quotaReached(max)
      yield chunk
    }
  }
  return { reserved: () => reserved, cover }
}
