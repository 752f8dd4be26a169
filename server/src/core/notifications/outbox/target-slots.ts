import type { Clock } from '../../../domain/clock.ts'
import { counters, type Slots } from './slots.ts'

/** The maximum number of requests at the same time. */
const maxRequests = 256

/** The maximum number of requests to one target at the same time. */
const maxPerTarget = 32

/** The maximum number of requests for one account at the same time, to all of its targets. */
const maxPerAccount = 32

/** An account gets at most this part of the free slots, so that one with few messages finds some. */
const shareOfFree = 1 / 7

/** The number of last free slots, of which an account gets one only while it has no other and its targets respond. */
const reserve = 64

/** The maximum number of requests for an account with a target that did not respond in time. */
const maxPerSlowAccount = 2

/** The maximum number of targets that are remembered as slow. */
const maxRemembered = 10_000

/** How long after its last failure a target is slow, in ms: webhooks that were removed never respond. */
const slowMs = 3_600_000

/**
 * Limits the requests to each target and for each account. A target that did not respond in time has one request at a time
 * until it responds, and its account two. The last free slots are for accounts that have none and whose targets respond.
 */
export function targetSlots(clock: Pick<Clock, 'now'>): Slots {
  const ofTargets = counters()
  const ofAccounts = counters()
  /** Targets that did not respond in time, the one whose last failure is oldest first. */
  const slow = new Map<string, { readonly userId: string | null; readonly failedAt: number }>()
  const slowOfAccounts = counters()
  let all = 0
  const isFull = (target: string) => ofTargets.get(target) >= (slow.has(target) ? 1 : maxPerTarget)
  const isExhausted = (userId: string) => {
    const free = maxRequests - all
    const isSlow = slowOfAccounts.get(userId) > 0
    if (free <= reserve) return isSlow || ofAccounts.get(userId) > 0
    const max = isSlow ? maxPerSlowAccount : maxPerAccount
    return ofAccounts.get(userId) >= Math.min(max, Math.ceil(free * shareOfFree))
  }
  const forget = (target: string) => {
    const userId = slow.get(target)?.userId
    if (slow.delete(target) && typeof userId === 'string') slowOfAccounts.add(userId, -1)
  }
  const forgetOld = () => {
    const since = clock.now() - slowMs
    for (const [target, { failedAt }] of slow) {
      if (failedAt > since && slow.size <= maxRemembered) return
      forget(target)
    }
  }
  const remember = (target: string, userId: string | null) => {
    forget(target)
    slow.set(target, { userId, failedAt: clock.now() })
    if (userId !== null) slowOfAccounts.add(userId, 1)
  }
  return {
    free: () => maxRequests - all,
    full() {
      forgetOld()
      return {
        targets: ofTargets.keys().filter(isFull),
        accounts: [...new Set([...ofAccounts.keys(), ...slowOfAccounts.keys()])].filter(isExhausted),
      }
    },
    take({ target, userId }) {
      forgetOld()
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
      forgetOld()
    },
    // An account waits only for its own requests to end.
    nextRound: () => false,
  }
}
