import { noSpace } from '../../domain/errors.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DataBackend } from '../../data/backend/backend.ts'
import { storeErrorResponse } from '../data-store/store-errors.ts'

/** The space of bytes that are being sent to the data store. */
export interface Space {
  /**
   * Passes chunks on while they leave the reserve and the reservations of others untouched: an upload without a
   * length cannot be checked in advance. @throws ServiceError `no_space`, `unavailable`
   */
  guard(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Releases the announced bytes that did not arrive. */
  end(): void
  /** Called when the announced bytes are recorded in the database, and may arrive later. */
  persisted(): void
}

export interface FreeSpace {
  /**
   * Reserves space for announced bytes, beside all other reservations.
   * @param expected bytes; 0 when unknown
   * @throws ServiceError `no_space`, `unavailable`
   */
  announce(expected: number): Promise<Space>
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
  readonly announcedElsewhere: () => Promise<number>
}

/** How long a measurement is reused: free space changes slowly, and small files arrive by the thousand. */
const freshMs = 1_000

const unlimited: Space = {
  guard: (chunks) => chunks,
  end: () => undefined,
  persisted: () => undefined,
}

/** Announced bytes that have not arrived yet. */
interface SpaceReservation {
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
  let elsewhere = 0
  /** The bytes that were recorded since `elsewhere` was measured. */
  let recorded = 0
  let measuredAt = -Infinity

  const measure = async () => {
    if (clock.now() - measuredAt < freshMs) return
    const recordedBefore = recorded
    const [nowFree, nowElsewhere] = await Promise.all([freeSpace(), announcedElsewhere()]).catch(
      (error: unknown) => {
        throw storeErrorResponse(error)
      },
    )
    free = nowFree
    elsewhere = nowElsewhere
    recorded -= recordedBefore
    measuredAt = clock.now()
  }
  const reservedByOthers = () => [...reservations].reduce((sum, { left }) => sum + left, elsewhere + recorded)

  /** @param bytes without a reservation */
  const requireUnreserved = async (bytes: number) => {
    await measure()
    const reserved = bytes > 0 ? reservedByOthers() : 0
    if (free - reserved - bytes < reserve) throw noSpace()
  }
  const requireNow = async (bytes: number) => {
    await measure()
    if (free - bytes < reserve) throw noSpace()
  }
  async function* guard(chunks: AsyncIterable<Uint8Array>, reservation: SpaceReservation) {
    for await (const chunk of chunks) {
      const announced = Math.min(reservation.left, chunk.length)
      await (announced < chunk.length
        ? requireUnreserved(chunk.length - announced)
        : requireNow(chunk.length))
      reservation.left -= announced
      free -= chunk.length
      yield chunk
    }
  }
  const spaceOf = (reservation: SpaceReservation): Space => ({
    guard: (chunks) => guard(chunks, reservation),
    end: () => reservations.delete(reservation),
    persisted() {
      if (reservations.delete(reservation)) recorded += reservation.left
    },
  })

  return {
    async announce(expected) {
      await requireUnreserved(expected)
      const reservation = { left: expected }
      reservations.add(reservation)
      return spaceOf(reservation)
    },
    async resume(expected) {
      await requireNow(expected)
      // `announcedElsewhere` includes its bytes.
      return spaceOf({ left: Infinity })
    },
  }
}
