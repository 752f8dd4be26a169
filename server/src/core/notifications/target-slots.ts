/** The maximum number of requests at the same time. */
const maxRequests = 256

/** The maximum number of requests to one target at the same time. */
const maxPerTarget = 32

/** The maximum number of targets that are remembered as slow. */
const maxRemembered = 10_000

/**
 * Limits the requests to each target, so that a slow one does not delay others. A target that did not respond in time has one
 * request at a time until it responds.
 */
export interface TargetSlots {
  /** The number of requests that may begin. */
  readonly free: () => number
  /** The targets that get no further request now. */
  readonly full: () => string[]
  /** Occupies a slot of a target, if one is free. */
  readonly take: (target: string) => boolean
  /**
   * Frees the slot of a request that has ended.
   * @param responded whether the target responded; undefined if it was not asked
   */
  readonly release: (target: string, responded?: boolean) => void
}

export function targetSlots(): TargetSlots {
  const running = new Map<string, number>()
  const slow = new Set<string>()
  let all = 0
  const limitOf = (target: string) => (slow.has(target) ? 1 : maxPerTarget)
  const countOf = (target: string) => running.get(target) ?? 0
  return {
    free: () => maxRequests - all,
    full: () => [...running.keys()].filter((target) => countOf(target) >= limitOf(target)),
    take(target) {
      if (all >= maxRequests || countOf(target) >= limitOf(target)) return false
      all += 1
      running.set(target, countOf(target) + 1)
      return true
    },
    release(target, responded) {
      all -= 1
      if (countOf(target) === 1) running.delete(target)
      else running.set(target, countOf(target) - 1)
      if (responded === true) slow.delete(target)
      if (responded === false && slow.size < maxRemembered) slow.add(target)
    },
  }
}
