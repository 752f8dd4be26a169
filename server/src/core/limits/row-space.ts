import type { Clock } from '../../domain/clock.ts'
import { noSpace } from '../../domain/errors.ts'

/** The free space of the disk of a local database. */
export interface RowSpace {
  /** Rejects rows that would use the reserve. @param bytes of their long texts @throws ServiceError `no_space` */
  require(bytes?: number): Promise<void>
}

export interface RowSpaceOptions {
  /** Bytes; undefined for a database on another machine. */
  readonly freeSpace: (() => Promise<number>) | undefined
  /** The bytes that must stay free. */
  readonly reserve: number
  readonly clock: Clock
}

const freshMs = 1_000

/**
 * The maximum cost of a change besides its texts, in bytes: pages of a table and its indexes, and their copy in the
 * log.
 */
const changeBytes = 48 * 1024

/**
 * Rows that were admitted count until the measurement after the next: by then they are written and measured. An
 * outdated measurement never causes an error.
 */
export function rowSpace({ freeSpace, reserve, clock }: RowSpaceOptions): RowSpace {
  if (freeSpace === undefined || reserve <= 0) return { require: () => Promise.resolve() }
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
  const fits = (cost: number) => free - admitted.before - admitted.since - cost >= reserve

  return {
    async require(bytes = 0) {
      // A text is written to the log and to the table.
      const cost = changeBytes + 2 * bytes
      if (clock.now() - measuredAt >= freshMs || !fits(cost)) await (measuring ??= measure())
      if (!fits(cost)) throw noSpace()
      admitted.since += cost
    },
  }
}
