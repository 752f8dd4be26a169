import type { Clock } from '../domain/clock.ts'

/** The machine's time and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  every: (interval, work) => {
    const timer = setInterval(work, interval)
    timer.unref()
    return () => {
      clearInterval(timer)
    }
  },
}
