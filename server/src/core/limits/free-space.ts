import { noSpace } from '../../domain/errors.ts'
import type { Payer } from '../../domain/access/payer.ts'
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
   * Reserves space for announced bytes, beside all other reservations of the payer and a limited part of those of each
   * other payer.
   * @param payer null if exempt
   * @param expected bytes; 0 when unknown
   * @throws ServiceError `no_space`, `unavailable`
   */
  announce(payer: Payer | null, expected: number): Promise<Space>
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

/** Announced bytes by the payer of their budgets; null for all that are exempt. */
export type AnnouncedBytes = ReadonlyMap<Payer | null, number>

/** How long a measurement is reused: free space changes slowly, and small files arrive by the thousand. */
const freshMs = 1_000

const unlimited: Space = {
  guard: (chunks) => chunks,
  end: () => undefined,
  persisted: () => undefined,
}

/**
 * The part of the space above the reserve that the announcements of one payer withhold from others. An announcement
 * costs nothing, so without this limit one client could stop all uploads and send nothing.
 */
const withheldPart = 1 / 4

/** Announced bytes that have not arrived yet. */
interface SpaceReservation {
  readonly payer: Payer | null
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
  let elsewhere: AnnouncedBytes = new Map()
  /** The reservations that were recorded since `elsewhere` was measured. */
  const recorded: SpaceReservation[] = []
  let measuredAt = -Infinity
  let measuring: Promise<void> | undefined

  const measure = async () => {
    const recordedBefore = recorded.length
    try {
      const [nowFree, nowElsewhere] = await Promise.all([freeSpace(), announcedElsewhere()])
      free = nowFree
      elsewhere = nowElsewhere
      recorded.splice(0, recordedBefore)
      measuredAt = clock.now()
    } catch (error) {
      throw storeErrorResponse(error)
    } finally {
      measuring = undefined
    }
  }
  /** Requests that come together share a measurement, so that recorded bytes are subtracted once. */
  const requireMeasurement = async () => {
    if (clock.now() - measuredAt >= freshMs) await (measuring ??= measure())
  }
  /** The bytes that a payer finds reserved. */
  const reservedFor = (payer: Payer | null) => {
    const announced = new Map(elsewhere)
    for (const reservation of [...reservations, ...recorded])
      announced.set(reservation.payer, (announced.get(reservation.payer) ?? 0) + reservation.left)
    const most = Math.max(0, free - reserve) * withheldPart
    return announced
      .entries()
      .reduce((sum, [by, bytes]) => sum + (by === payer || by === null ? bytes : Math.min(bytes, most)), 0)
  }

  /** @param bytes without a reservation */
  const requireUnreserved = async (payer: Payer | null, bytes: number) => {
    await requireMeasurement()
    const reserved = bytes > 0 ? reservedFor(payer) : 0
    if (free - reserved - bytes < reserve) throw noSpace()
  }
  const requireNow = async (bytes: number) => {
    await requireMeasurement()
    if (free - bytes < reserve) throw noSpace()
  }
  async function* guard(chunks: AsyncIterable<Uint8Array>, reservation: SpaceReservation) {
    for await (const chunk of chunks) {
      const announced = Math.min(reservation.left, chunk.length)
      await (announced < chunk.length
        ? requireUnreserved(reservation.payer, chunk.length - announced)
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
      if (reservations.delete(reservation)) recorded.push(reservation)
    },
  })

  return {
    async announce(payer, expected) {
      await requireUnreserved(payer, expected)
      const reservation = { payer, left: expected }
      reservations.add(reservation)
      return spaceOf(reservation)
    },
    async resume(expected) {
      await requireNow(expected)
      // `announcedElsewhere` includes its bytes.
      return spaceOf({ payer: null, left: Infinity })
    },
  }
}
