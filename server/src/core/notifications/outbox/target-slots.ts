import type { DueDelivery, DueExceptions } from '../../../metadata/notifications/outbox.ts'

/** The maximum number of requests at the same time. */
const maxRequests = 256

/** The maximum number of requests to one target at the same time. */
const maxPerTarget = 32

/** The maximum number of requests for one account at the same time, to all of its targets. */
const maxPerAccount = 32

/** An account gets at most this part of the free slots, so that some stay free while many accounts have targets that hang. */
const shareOfFree = 1 / 7

/** The maximum number of requests for an account with a target that did not respond in time. */
const maxPerSlowAccount = 2

/** The maximum number of targets that are remembered as slow. */
const maxRemembered = 10_000

/** What occupies a slot: a message to a target, of an account or of the server. */
type Request = Pick<DueDelivery, 'target' | 'userId'>

/**
 * Limits the requests to each target and for each account, so that a slow one does not delay others. A target that did not respond in time has one
 * request at a time until it responds, and its account two.
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
  /** Targets that did not respond in time, with their accounts. */
  const slow = new Map<string, string | null>()
  const slowOfAccounts = counters()
  let all = 0
  const isFull = (target: string) => ofTargets.get(target) >= (slow.has(target) ? 1 : maxPerTarget)
  const isExhausted = (userId: string) => {
    const max = slowOfAccounts.get(userId) > 0 ? maxPerSlowAccount : maxPerAccount
    return ofAccounts.get(userId) >= Math.min(max, Math.ceil((maxRequests - all) * shareOfFree))
  }
  const remember = (target: string, userId: string | null) => {
    if (slow.has(target) || slow.size >= maxRemembered) return
    slow.set(target, userId)
    if (userId !== null) slowOfAccounts.add(userId, 1)
  }
  const forget = (target: string) => {
    const userId = slow.get(target)
    if (slow.delete(target) && typeof userId === 'string') slowOfAccounts.add(userId, -1)
  }
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
      if (responded === true) forget(target)
      if (responded === false) remember(target, userId)
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
