import type { Clock } from '../../domain/clock.ts'
import { noSpace } from '../../domain/errors.ts'

/** The disk of a database whose files are on this machine. */
export interface RowSpace {
  /**
   * Refuses rows that would eat into the reserve.
   * @param bytes of the texts in them that may be long
   * @throws ServiceError `no_space`
   */
  require(bytes?: number): Promise<void>
}

export interface RowSpaceOptions {
  /** Bytes; undefined where the database is somewhere else. */
  readonly freeSpace: (() => Promise<number>) | undefined
  /** Bytes that stay free. */
  readonly reserve: number
  readonly clock: Clock
}

const freshMs = 1_000

/** What a change costs at most besides its texts, in bytes: the pages of a table and its indexes, once in the log. */
const changeBytes = 48 * 1024

/**
 * What was admitted since a look counts until the one after the next: then it is written, and seen. Nobody is refused
 * because of an old figure.
 */
export function rowSpace({ freeSpace, reserve, clock }: RowSpaceOptions): RowSpace {
  if (freeSpace === undefined || reserve <= 0) return { require: () => Promise.resolve() }
  let free = 0
  let askedAt = -Infinity
  let admitted = { since: 0, before: 0 }
  let looking: Promise<void> | undefined

  const look = async () => {
    const { since } = admitted
    try {
      free = await freeSpace()
      askedAt = clock.now()
      admitted = { since: admitted.since - since, before: since }
    } finally {
      looking = undefined
    }
  }
  const fits = (cost: number) => free - admitted.before - admitted.since - cost >= reserve

  return {
    async require(bytes = 0) {
      // A text is in the log, and then in the table.
      const cost = changeBytes + 2 * bytes
      if (clock.now() - askedAt >= freshMs || !fits(cost)) await (looking ??= look())
      if (!fits(cost)) throw noSpace()
      admitted.since += cost
    },
  }
}
