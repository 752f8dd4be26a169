import { noSpace } from '../domain/errors.ts'
import type { Clock } from '../domain/clock.ts'
import type { DataBackend } from '../data/backend.ts'
import { refusalOfStore } from './store-failures.ts'

export interface FreeSpace {
  /**
   * Refuses bytes that would eat into the reserve of the data store.
   * @param expected bytes that are announced; 0 when unknown
   * @throws ServiceError `no_space`, `unavailable`
   */
  require(expected: number): Promise<void>
}

/** How long a figure is used again: free space changes slowly, and small files come by the thousand. */
const freshMs = 1_000

/** @param reserve bytes that stay free */
export function freeSpaceGuard(data: DataBackend, reserve: number, clock: Clock): FreeSpace {
  let free = 0
  let askedAt = -Infinity
  return {
    async require(expected) {
      if (data.freeSpace === undefined || reserve <= 0) return
      if (clock.now() - askedAt >= freshMs) {
        free = await data.freeSpace().catch((error: unknown) => {
          throw refusalOfStore(error)
        })
        askedAt = clock.now()
      }
      if (free - expected < reserve) throw noSpace()
    },
  }
}
