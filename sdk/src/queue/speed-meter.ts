/** Speed over about this long counts; what was before fades out. In ms. */
const memory = 4000

/**
 * Turns looks at a growing total into a calm speed: an average in which every look counts for as long as it
 * covers, and older ones less and less.
 */
export function createSpeedMeter() {
  let last: { readonly at: number; readonly bytes: number } | undefined
  let speed: number | undefined
  return {
    /**
     * @param at ms since the epoch
     * @param bytes sent so far; less than before after a retry, which then only starts a new stretch
     * @returns bytes per second, 0 before there are two looks
     */
    look: (at: number, bytes: number): number => {
      const before = last
      last = { at, bytes }
      if (!before || at <= before.at || bytes < before.bytes) return speed ?? 0
      const now = ((bytes - before.bytes) * 1000) / (at - before.at)
      const weight = 1 - Math.exp(-(at - before.at) / memory)
      speed = speed === undefined ? now : speed + (now - speed) * weight
      return speed
    },
  }
}

/** Seconds until the rest is sent; undefined while unknown. */
export function secondsLeft(bytes: number, speed: number): number | undefined {
  return speed < 1 ? undefined : bytes / speed
}
