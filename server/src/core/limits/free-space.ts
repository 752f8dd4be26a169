import { noSpace } from '../../domain/errors.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DataBackend } from '../../data/backend/backend.ts'
import { storeErrorResponse } from '../data-store/store-errors.ts'

/** Bytes on their way to the data store. */
export interface Space {
  /**
   * Hands chunks on as long as they leave the reserve alone, and what is kept free for others: what comes without a
   * length is not known beforehand. @throws ServiceError `no_space`, `unavailable`
   */
  guard(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Whatever was announced and has not come, does not come any more. */
  end(): void
  /** What has not come yet is written down in the database, and may come later. */
  writtenDown(): void
}

export interface FreeSpace {
  /**
   * Keeps space free for bytes that are announced, beside all others that are.
   * @param expected bytes; 0 when unknown
   * @throws ServiceError `no_space`, `unavailable`
   */
  announce(expected: number): Promise<Space>
  /**
   * The same for a piece of a file that was announced as a whole before.
   * @param expected bytes of the piece; 0 when unknown
   * @throws ServiceError `no_space`, `unavailable`
   */
  goOn(expected: number): Promise<Space>
}

export interface FreeSpaceOptions {
  readonly data: Pick<DataBackend, 'freeSpace'>
  /** Bytes that stay free. */
  readonly reserve: number
  readonly clock: Clock
  /** Bytes that are announced and have not come: to other processes, or for later. */
  readonly announcedElsewhere: () => Promise<number>
}

/** How long a figure is used again: free space changes slowly, and small files come by the thousand. */
const freshMs = 1_000

const unlimited: Space = {
  guard: (chunks) => chunks,
  end: () => undefined,
  writtenDown: () => undefined,
}

/** What is announced and has not come yet. */
interface Hold {
  left: number
}

export function freeSpaceGuard({ data, reserve, clock, announcedElsewhere }: FreeSpaceOptions): FreeSpace {
  const { freeSpace } = data
  if (freeSpace === undefined || reserve <= 0) {
    const admit = () => Promise.resolve(unlimited)
    return { announce: admit, goOn: admit }
  }
  const holds = new Set<Hold>()
  let free = 0
  let elsewhere = 0
  /** Bytes that were written down since `elsewhere` was asked for. */
  let writtenDown = 0
  let askedAt = -Infinity

  const measure = async () => {
    if (clock.now() - askedAt < freshMs) return
    const seen = writtenDown
    const [nowFree, nowElsewhere] = await Promise.all([freeSpace(), announcedElsewhere()]).catch(
      (error: unknown) => {
        throw storeErrorResponse(error)
      },
    )
    free = nowFree
    elsewhere = nowElsewhere
    writtenDown -= seen
    askedAt = clock.now()
  }
  const keptForOthers = () => [...holds].reduce((sum, { left }) => sum + left, elsewhere + writtenDown)

  /** @param bytes that nobody announced */
  const requireFor = async (bytes: number) => {
    await measure()
    const kept = bytes > 0 ? keptForOthers() : 0
    if (free - kept - bytes < reserve) throw noSpace()
  }
  const requireNow = async (bytes: number) => {
    await measure()
    if (free - bytes < reserve) throw noSpace()
  }
  async function* guard(chunks: AsyncIterable<Uint8Array>, hold: Hold) {
    for await (const chunk of chunks) {
      const announced = Math.min(hold.left, chunk.length)
      await (announced < chunk.length ? requireFor(chunk.length - announced) : requireNow(chunk.length))
      hold.left -= announced
      free -= chunk.length
      yield chunk
    }
  }
  const spaceOf = (hold: Hold): Space => ({
    guard: (chunks) => guard(chunks, hold),
    end: () => holds.delete(hold),
    writtenDown() {
      if (holds.delete(hold)) writtenDown += hold.left
    },
  })

  return {
    async announce(expected) {
      await requireFor(expected)
      const hold = { left: expected }
      holds.add(hold)
      return spaceOf(hold)
    },
    async goOn(expected) {
      await requireNow(expected)
      // Its bytes are among those that are announced elsewhere.
      return spaceOf({ left: Infinity })
    },
  }
}
