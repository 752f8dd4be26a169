import type { DueDelivery, DueExceptions } from '../../../metadata/notifications/outbox.ts'

/** The maximum number of requests at the same time. */
const maxRequests = 256

/** The maximum number of requests to one target at the same time. */
const maxPerTarget = 32

/** The maximum number of requests for one account at the same time, to all of its targets. */
const maxPerAccount = 32

/** The maximum number of targets that are remembered as slow. */
const maxRemembered = 10_000

/** What occupies a slot: a message to a target, of an account or of the server. */
type Request = Pick<DueDelivery, 'target' | 'userId'>

/**
 * Limits the requests to each target and for each account, so that a slow one does not delay others. A target that did not respond in time has one
 * request at a time until it responds.
 */
export interface TargetSlots {
  /** The number of requests that may begin. */
  readonly free: () => number
  /** The targets and accounts that get no further request now. */
  readonly full: () => DueExceptions
  /** Occupies a slot of a target and of its account, if both have a free one. */
  readonly take: (request: Request) => boolean
  /**
   * Frees the slot of a request that has ended.
   * @param responded whether the target responded; undefined if it was not asked
   */
  readonly release: (request: Request, responded?: boolean) => void
}

export function targetSlots(): TargetSlots {
  const ofTargets = counters()
  const ofAccounts = counters()
  const slow = new Set<string>()
  let all = 0
  const isFull = (target: string) => ofTargets.get(target) >= (slow.has(target) ? 1 : maxPerTarget)
  const isExhausted = (userId: string) => ofAccounts.get(userId) >= maxPerAccount
  return {
    free: () => maxRequests - all,
    full: () => ({
      targets: ofTargets.keys().filter(isFull),
      accounts: ofAccounts.keys().filter(isExhausted),
    }),
    take({ target, userId }) {
      if (all >= maxRequests || isFull(target) || (userId !== null && isExhausted(userId))) return false
      all += 1
      ofTargets.add(target, 1)
      if (userId !== null) ofAccounts.add(userId, 1)
      return true
    },
    release({ target, userId }, responded) {
      all -= 1
      ofTargets.add(target, -1)
      if (userId !== null) ofAccounts.add(userId, -1)
      if (responded === true) slow.delete(target)
      if (responded === false && slow.size < maxRemembered) slow.add(target)
    },
  }
}

/** Counters that are kept while they are not 0. */
function counters() {
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
