import type { DueDelivery, DueExceptions } from '../../../metadata/notifications/outbox.ts'

/** What occupies a slot: a message to a target, of an account or of the server. */
export type SlotRequest = Pick<DueDelivery, 'target' | 'userId'>

/** Limits the messages that are sent at the same time, so that a slow target or a busy account does not delay others. */
export interface Slots {
  /** The number of messages that may begin. */
  readonly free: () => number
  /** The targets and accounts that get no further slot now. */
  readonly full: () => DueExceptions
  /** Occupies a slot, if the target and the account may have one. */
  readonly take: (request: SlotRequest) => boolean
  /**
   * Frees the slot of a message whose attempt has ended.
   * @param responded whether the target responded; undefined if it was not asked
   */
  readonly release: (request: SlotRequest, responded?: boolean) => void
  /**
   * Begins another round when no message is due except those of `full`.
   * @returns whether an account gets a slot again
   */
  readonly nextRound: () => boolean
}

/** Counts in memory, by key. A count of 0 takes no memory. */
export function tallies() {
  const counts = new Map<string, number>()
  const get = (key: string): number => counts.get(key) ?? 0
  return {
    get,
    keys: () => [...counts.keys()],
    add(key: string, change: 1 | -1) {
      const count = get(key) + change
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}
