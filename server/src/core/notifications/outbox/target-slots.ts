import type { Clock } from '../../../domain/clock.ts'
import { tallies, type Slots } from './slots.ts'

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
  const byTarget = tallies()
  const byAccount = tallies()
  /** Targets that did not respond in time, the one whose last failure is oldest first. */
  const slow = new Map<string, { readonly userId: string | null; readonly failedAt: number }>()
  const slowByAccount = tallies()
  let occupied = 0
  const isFull = (target: string) => byTarget.get(target) >= (slow.has(target) ? 1 : maxPerTarget)
  const isExhausted = (userId: string) => {
    const free = maxRequests - occupied
    const isSlow = slowByAccount.get(userId) > 0
    if (free <= reserve) return isSlow || byAccount.get(userId) > 0
    const max = isSlow ? maxPerSlowAccount : maxPerAccount
    return byAccount.get(userId) >= Math.min(max, Math.ceil(free * shareOfFree))
  }
  const forget = (target: string) => {
    const userId = slow.get(target)?.userId
    if (slow.delete(target) && typeof userId === 'string') slowByAccount.add(userId, -1)
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
    if (userId !== null) slowByAccount.add(userId, 1)
  }
  return {
    free: () => maxRequests - occupied,
    full() {
      forgetOld()
      return {
        targets: byTarget.keys().filter(isFull),
        accounts: [...new Set([...byAccount.keys(), ...slowByAccount.keys()])].filter(isExhausted),
      }
    },
    take({ target, userId }) {
      forgetOld()
      if (occupied >= maxRequests || isFull(target) || (userId !== null && isExhausted(userId))) return false
      occupied += 1
      byTarget.add(target, 1)
      if (userId !== null) byAccount.add(userId, 1)
      return true
    },
    release({ target, userId }, responded) {
      occupied -= 1
      byTarget.add(target, -1)
      if (userId !== null) byAccount.add(userId, -1)
      if (responded === true) forget(target)
      if (responded === false) remember(target, userId)
      forgetOld()
    },
    // An account waits only for its own requests to end.
    nextRound: () => false,
  }
}
