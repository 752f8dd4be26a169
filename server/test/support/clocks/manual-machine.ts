import type { MachineClock } from '../../../src/domain/clock.ts'
import { manualClock, type ManualClock } from './manual-clock.ts'

/** The clock of a machine that only the test advances, and that can be set as an administrator does. */
export interface ManualMachine extends ManualClock, MachineClock {
  /** @param ahead milliseconds before the time that it would have had */
  set(ahead: number): void
}

/** @param start milliseconds since the epoch */
export function manualMachine(start = Date.UTC(2026, 0, 1)): ManualMachine {
  const real = manualClock(start)
  let set = 0
  return {
    now: () => real.now() + set,
    // Fractional, as on a real machine.
    monotonic: () => real.now() - start + 0.25,
    every: (interval, work) => real.every(interval, work),
    advance: (ms) => {
      real.advance(ms)
    },
    isDueIn: (ms) => real.isDueIn(ms),
    set: (ahead) => {
      set = ahead
    },
  }
}
