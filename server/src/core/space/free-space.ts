import { noSpace } from '../../domain/errors.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DataBackend } from '../../data/backend/backend.ts'
import { translateDataStoreError } from '../data-store/translate-error.ts'
import { reservedBytes, type AnnouncedBytes } from './reserved-bytes.ts'

/** The space of bytes that are being sent to the data store. */
export interface Space {
  /**
   * Passes chunks on while they fit beside the reserve and the reservations of others. An upload without a length
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
   * Reserves space for announced bytes, beside all other reservations with the same budget key and a limited share of
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
  /** The bytes that must stay free. */
  readonly reserve: number
  readonly clock: Clock
  /** The bytes that are announced elsewhere and have not arrived: at other processes, or for later. */
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
interface SpaceReservation {
  readonly budgetKey: BudgetKey | null
  left: number
}

export function freeSpaceGuard({ data, reserve, clock, announcedElsewhere }: FreeSpaceOptions): FreeSpace {
  const { freeSpace } = data
  if (freeSpace === undefined || reserve <= 0) {
    const unlimitedSpace = () => Promise.resolve(unlimited)
    return { announce: unlimitedSpace, resume: unlimitedSpace }
  }
  const reservations = new Set<SpaceReservation>()
  let free = 0
  const reserved = reservedBytes()
  /** The reservations that were recorded since the bytes of other processes were measured. */
  const recorded: SpaceReservation[] = []
  let measuredAt = -Infinity
  let measuring: Promise<void> | undefined

  const measure = async () => {
    const recordedBefore = recorded.length
    try {
      const [nowFree, nowElsewhere] = await Promise.all([freeSpace(), announcedElsewhere()])
      free = nowFree
      recorded.splice(0, recordedBefore)
      reserved.restart(nowElsewhere, Math.max(0, free - reserve) * withheldShare)
      for (const { budgetKey, left } of [...reservations, ...recorded]) reserved.add(budgetKey, left)
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
  // The checks are synchronous, so that no other request runs between a check and its reservation.
  /** @param bytes without a reservation */
  const requireUnreserved = (budgetKey: BudgetKey | null, bytes: number) => {
    const withheld = bytes > 0 ? reserved.unavailableTo(budgetKey) : 0
    if (free - withheld - bytes < reserve) throw noSpace()
  }
  const requireNow = (bytes: number) => {
    if (free - bytes < reserve) throw noSpace()
  }
  async function* guard(chunks: AsyncIterable<Uint8Array>, reservation: SpaceReservation) {
    for await (const chunk of chunks) {
      await requireMeasurement()
      const announced = Math.min(reservation.left, chunk.length)
      if (announced < chunk.length) requireUnreserved(reservation.budgetKey, chunk.length - announced)
      else requireNow(chunk.length)
      reservation.left -= announced
      if (reservations.has(reservation)) reserved.add(reservation.budgetKey, -announced)
      free -= chunk.length
      yield chunk
    }
  }
  const spaceOf = (reservation: SpaceReservation): Space => ({
    guard: (chunks) => guard(chunks, reservation),
    end() {
      if (reservations.delete(reservation)) reserved.add(reservation.budgetKey, -reservation.left)
    },
    persisted() {
      if (reservations.delete(reservation)) recorded.push(reservation)
    },
  })

  return {
    async announce(budgetKey, expected) {
      await requireMeasurement()
      requireUnreserved(budgetKey, expected)
      const reservation = { budgetKey, left: expected }
      reservations.add(reservation)
      reserved.add(budgetKey, expected)
      return spaceOf(reservation)
    },
    async resume(expected) {
      await requireMeasurement()
      requireNow(expected)
      // `announcedElsewhere` includes its bytes.
      return spaceOf({ budgetKey: null, left: Infinity })
    },
  }
}
