import type { StoreDependencies } from '../../../src/data/network/tuning.ts'
import { manualClock, type ManualClock } from '../clocks/manual-clock.ts'

/** The dependencies of a network store; time stands still unless a clock is given. */
export const testDependencies = (clock: ManualClock = manualClock()): StoreDependencies => ({
  clock,
  random: (into) => crypto.getRandomValues(into),
})
