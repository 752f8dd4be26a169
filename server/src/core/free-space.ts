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
  /**
   * Hands chunks on as long as they leave the reserve alone: what comes without a length, or beside others, is not
   * known beforehand. @throws ServiceError `no_space`, `unavailable`
   */
  guard(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/** How long a figure is used again: free space changes slowly, and small files come by the thousand. */
const freshMs = 1_000

/** @param reserve bytes that stay free */
export function freeSpaceGuard(data: DataBackend, reserve: number, clock: Clock): FreeSpace {
  const { freeSpace } = data
  if (freeSpace === undefined || reserve <= 0) {
    return { require: () => Promise.resolve(), guard: (chunks) => chunks }
  }
  let free = 0
  let askedAt = -Infinity

  const require = async (expected: number): Promise<void> => {
    if (clock.now() - askedAt >= freshMs) {
      free = await freeSpace().catch((error: unknown) => {
        throw refusalOfStore(error)
      })
      askedAt = clock.now()
    }
    if (free - expected < reserve) throw noSpace()
  }

  async function* guard(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      await require(chunk.length)
      free -= chunk.length
      yield chunk
    }
  }
  return { require, guard }
}
