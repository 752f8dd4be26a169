import type { MachineClock } from '../domain/clock.ts'

/** The machine's time and timers. */
export const systemClock: MachineClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  every: (interval, work) => {
    const timer = setInterval(work, interval)
    timer.unref()
    return () => {
      clearInterval(timer)
    }
  },
}
