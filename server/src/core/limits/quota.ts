import { maxUserSizeOf } from '../../domain/limits/user-limits.ts'
import { quotaReached } from '../../domain/errors.ts'
import type { FileRecord, UserRecord } from '../../domain/records.ts'
import { LostRaceError } from '../stats/usage-accounting.ts'
import type { Service } from '../service.ts'

/** Bytes that are reserved at a time while the size of a file is not known: few writes, and little in vain. */
const step = 16 * 1024 * 1024

/** The part of an owner's quota that a file on its way has taken. */
export interface Reservation {
  /** Bytes. */
  readonly reserved: () => number
  /**
   * Hands chunks on as soon as there is quota for them.
   * @param received bytes of the file that came before @throws ServiceError `quota_reached`
   */
  cover(chunks: AsyncIterable<Uint8Array>, received?: number): AsyncIterable<Uint8Array>
}

/**
 * Reserves quota for a file that begins to arrive, or goes on, so that uploads at the same time cannot pass it together.
 * @param owner null for an anonymous upload, which has no quota
 * @param expectedSize bytes that the file will have at least, as far as is announced
 * @throws ServiceError `quota_reached` when it is clear already that the file does not fit
 */
export async function reserveQuota(
  service: Pick<Service, 'config' | 'store'>,
  owner: UserRecord | null,
  file: FileRecord,
  expectedSize: number,
): Promise<Reservation> {
  const max = maxUserSizeOf(owner, service.config)
  // What was reserved for it while there was a limit is taken still.
  if (owner === null || max < 0) return { reserved: () => file.reserved, cover: (chunks) => chunks }
  let { reserved } = file
  const reserve = async (bytes: number): Promise<boolean> => {
    const won = await service.store.transaction(async (transaction) => {
      if (!(await transaction.files.reserve(file, bytes))) throw new LostRaceError()
      if (await transaction.users.useWithin(owner.id, bytes, max)) return true
      await transaction.files.reserve(file, -bytes)
      return false
    })
    if (won) reserved += bytes
    return won
  }
  if (expectedSize > reserved && !(await reserve(expectedSize - reserved))) throw quotaReached(max)

  async function* cover(chunks: AsyncIterable<Uint8Array>, received = 0) {
    let arrived = received
    for await (const chunk of chunks) {
      arrived += chunk.length
      const lacking = arrived - reserved
      if (lacking > 0 && !(await reserve(Math.max(lacking, step))) && !(await reserve(lacking)))
        throw quotaReached(max)
      yield chunk
    }
  }
  return { reserved: () => reserved, cover }
}
