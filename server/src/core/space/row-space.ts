import type { Clock } from '../../domain/clock.ts'
import { noSpace } from '../../domain/errors.ts'

/** The free space of the disk of a local database. */
export interface RowSpace {
  /** Measures the free space. Bytes; undefined for a database on another machine. */
  readonly freeSpace: (() => Promise<number>) | undefined
  /**
   * Rejects rows that would use the reserve.
   * @param bytes size of their long texts
   * @throws ServiceError `no_space`
   */
  require(bytes?: number): Promise<void>
  /**
   * Rejects a login of a user only when it would use the last share of the reserve: users must be able to sign in to
   * remove files.
   * @throws ServiceError `no_space`
   */
  requireForLogin(): Promise<void>
  /** Whether this number of bytes fits above the reserve. */
  hasSpace(bytes: number): Promise<boolean>
}

export interface RowSpaceOptions {
  /** Bytes; undefined for a database on another machine. */
  readonly freeSpace: (() => Promise<number>) | undefined
  /** The bytes that must stay free. */
  readonly minFreeSpace: number
  readonly clock: Clock
}

const freshMs = 1_000

/** The share of the reserve that logins do not use. */
const lastShare = 1 / 8

/**
 * The maximum cost of a change besides its texts, in bytes: pages of a table and its indexes, and their copy in the
 * log.
 */
const changeBytes = 48 * 1024

/**
 * Admitted rows count until the measurement after the next one, by which time they are written and measured. An outdated
 * measurement never causes an error.
 */
export function rowSpace({ freeSpace, minFreeSpace, clock }: RowSpaceOptions): RowSpace {
  if (freeSpace === undefined || minFreeSpace <= 0) {
    const unlimited = () => Promise.resolve()
    return {
      freeSpace,
      require: unlimited,
      requireForLogin: unlimited,
      hasSpace: () => Promise.resolve(true),
    }
  }
  let free = 0
  let measuredAt = -Infinity
  let admitted = { since: 0, before: 0 }
  let measuring: Promise<void> | undefined

  const measure = async () => {
    const { since } = admitted
    try {
      free = await freeSpace()
      measuredAt = clock.now()
      admitted = { since: admitted.since - since, before: since }
    } finally {
      measuring = undefined
    }
  }
  /** @param kept bytes that must stay free */
  const fits = (cost: number, kept: number) => free - admitted.before - admitted.since - cost >= kept
  const measureFor = async (cost: number, kept: number) => {
    if (clock.now() - measuredAt >= freshMs || !fits(cost, kept)) await (measuring ??= measure())
  }
  const admit = async (cost: number, kept: number) => {
    await measureFor(cost, kept)
    if (!fits(cost, kept)) throw noSpace()
    admitted.since += cost
  }

  return {
    freeSpace,
    // A text is written to the log and to the table.
    require: (bytes = 0) => admit(changeBytes + 2 * bytes, minFreeSpace),
    requireForLogin: () => admit(changeBytes, minFreeSpace * lastShare),
    async hasSpace(bytes) {
      await measureFor(bytes, minFreeSpace)
      return fits(bytes, minFreeSpace)
    },
  }
}
