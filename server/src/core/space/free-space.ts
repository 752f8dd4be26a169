import { noSpace } from '../../domain/errors.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DataBackend } from '../../data/backend/backend.ts'
import { translateDataStoreError } from '../data-store/translate-error.ts'
import { announcedSums, type AnnouncedBytes } from './announced-sums.ts'

/** The space of bytes that are being sent to the data store. */
export interface Space {
  /**
   * Passes chunks on while they fit beside the reserve and the announcements of others. An upload without a length
   * cannot be checked in advance.
   * @throws ServiceError `no_space`, `unavailable`
   */
  guard(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Releases the announced bytes that did not arrive. */
  end(): void
  /** Called when the announced bytes are recorded in the database, and may arrive later. */
  persisted(): void
}

export interface FreeSpace {
  /**
   * Withholds space for announced bytes, beside all other announcements with the same budget key and a limited share of
   * those with each other key.
   * @param budgetKey null if exempt
   * @param expected bytes; 0 when unknown
   * @throws ServiceError `no_space`, `unavailable`
   */
  announce(budgetKey: BudgetKey | null, expected: number): Promise<Space>
  /**
   * Checks the space for a part of a file that was announced as a whole before.
   * @param expected bytes of the part; 0 when unknown
   * @throws ServiceError `no_space`, `unavailable`
   */
  resume(expected: number): Promise<Space>
}

export interface FreeSpaceOptions {
  readonly data: Pick<DataBackend, 'freeSpace'>
  /** The bytes that must stay free: the reserve. */
  readonly minFreeSpace: number
  readonly clock: Clock
  /** The bytes that are announced elsewhere and have not arrived: at other instances, or for later. */
  readonly announcedElsewhere: () => Promise<AnnouncedBytes>
}

/** How long a measurement is reused, in milliseconds: free space changes slowly, and thousands of small files may arrive. */
const freshMs = 1_000

const unlimited: Space = {
  guard: (chunks) => chunks,
  end: () => undefined,
  persisted: () => undefined,
}

/**
 * The share of the space above the reserve that the announcements of one network or account withhold from others. An
 * announcement costs nothing, so without this limit one client could stop all uploads and send nothing.
 */
const withheldShare = 1 / 4

/** Announced bytes that have not arrived yet. */
interface Announcement {
  readonly budgetKey: BudgetKey | null
  left: number
}

export function freeSpaceGuard({
  data,
  minFreeSpace,
  clock,
  announcedElsewhere,
}: FreeSpaceOptions): FreeSpace {
  const { freeSpace } = data
  if (freeSpace === undefined || minFreeSpace <= 0) {
    const unlimitedSpace = () => Promise.resolve(unlimited)
    return { announce: unlimitedSpace, resume: unlimitedSpace }
  }
  const announcements = new Set<Announcement>()
  let free = 0
  const sums = announcedSums()
  /** The bytes of others when the database was last asked. */
  let lastElsewhere: AnnouncedBytes | undefined
  /** The announcements that were recorded since the bytes of other instances were measured. */
  const recorded: Announcement[] = []
  let measuredAt = -Infinity
  let measuring: Promise<void> | undefined

  /** Without the database, the last result counts: a file that arrives does not need it until its end. */
  const measureElsewhere = async () => {
    const recordedBefore = recorded.length
    try {
      lastElsewhere = await announcedElsewhere()
      recorded.splice(0, recordedBefore)
    } catch (error) {
      if (lastElsewhere === undefined) throw error
    }
    return lastElsewhere
  }
  const measure = async () => {
    try {
      const [nowFree, elsewhere] = await Promise.all([freeSpace(), measureElsewhere()])
      free = nowFree
      sums.restart(elsewhere, Math.max(0, free - minFreeSpace) * withheldShare)
      for (const { budgetKey, left } of [...announcements, ...recorded]) sums.add(budgetKey, left)
      measuredAt = clock.now()
    } catch (error) {
      throw translateDataStoreError(error)
    } finally {
      measuring = undefined
    }
  }
  /** Concurrent requests share a measurement, so that recorded bytes are subtracted once. */
  const requireMeasurement = async () => {
    if (clock.now() - measuredAt >= freshMs) await (measuring ??= measure())
  }
  // The checks are synchronous, so that no other request runs between a check and its announcement.
  /** @param bytes number of bytes that were not announced */
  const requireUnannounced = (budgetKey: BudgetKey | null, bytes: number) => {
    const withheld = bytes > 0 ? sums.unavailableTo(budgetKey) : 0
    if (free - withheld - bytes < minFreeSpace) throw noSpace()
  }
  const requireNow = (bytes: number) => {
    if (free - bytes < minFreeSpace) throw noSpace()
  }
  async function* guard(chunks: AsyncIterable<Uint8Array>, announcement: Announcement) {
    for await (const chunk of chunks) {
      await requireMeasurement()
      const announced = Math.min(announcement.left, chunk.length)
      if (announced < chunk.length) requireUnannounced(announcement.budgetKey, chunk.length - announced)
      else requireNow(chunk.length)
      announcement.left -= announced
      if (announcements.has(announcement)) sums.add(announcement.budgetKey, -announced)
      free -= chunk.length
      yield chunk
    }
  }
  const spaceOf = (announcement: Announcement): Space => ({
    guard: (chunks) => guard(chunks, announcement),
    end() {
      if (announcements.delete(announcement)) sums.add(announcement.budgetKey, -announcement.left)
    },
    persisted() {
      if (announcements.delete(announcement)) recorded.push(announcement)
    },
  })

  return {
    async announce(budgetKey, expected) {
      await requireMeasurement()
      requireUnannounced(budgetKey, expected)
      const announcement = { budgetKey, left: expected }
      announcements.add(announcement)
      sums.add(budgetKey, expected)
      return spaceOf(announcement)
    },
    async resume(expected) {
      await requireMeasurement()
      requireNow(expected)
      // `announcedElsewhere` includes its bytes.
      return spaceOf({ budgetKey: null, left: Infinity })
    },
  }
}
