/** Time constant of the moving average, in ms. */
const timeConstant = 4000

/**
 * Computes a smooth speed from samples of a growing total: an exponential moving average, weighted by the time that each
 * sample covers.
 */
export function createSpeedMeter() {
  let last: { readonly at: number; readonly bytes: number } | undefined
  let speed: number | undefined
  return {
    /**
     * @param at ms since the epoch
     * @param bytes sent so far; a smaller value than before, after a retry, restarts the measurement
     * @returns bytes per second, 0 before the second sample
     */
    sample: (at: number, bytes: number): number => {
      const before = last
      last = { at, bytes }
      if (!before || at <= before.at || bytes < before.bytes) return speed ?? 0
      const now = ((bytes - before.bytes) * 1000) / (at - before.at)
      const weight = 1 - Math.exp(-(at - before.at) / timeConstant)
      speed = speed === undefined ? now : speed + (now - speed) * weight
      return speed
    },
  }
}

/** Seconds until the rest is sent; undefined while unknown. */
export function secondsLeft(bytes: number, speed: number): number | undefined {
  return speed < 1 ? undefined : bytes / speed
}
