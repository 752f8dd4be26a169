import type { Clock } from '../../../src/domain/clock.ts'

interface Repeated {
  readonly interval: number
  readonly work: () => void
  next: number
}

/** A clock that only the test advances. */
export interface ManualClock extends Clock {
  /** Advances the clock by some milliseconds: due work runs at its exact time. */
  advance(ms: number): void
  /** Whether work is due in exactly this number of milliseconds. */
  isDueIn(ms: number): boolean
}

/** @param start milliseconds since the epoch */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let time = start
  const repeated = new Set<Repeated>()
  const firstDue = (end: number): Repeated | undefined => {
    let first: Repeated | undefined
    for (const entry of repeated)
      if (entry.next <= end && (first === undefined || entry.next < first.next)) first = entry
    return first
  }
  return {
    now: () => time,
    every(interval, work) {
      const entry = { interval, work, next: time + interval }
      repeated.add(entry)
      return () => {
        repeated.delete(entry)
      }
    },
    advance(ms) {
      const end = time + ms
      // Tests advance by months, in which work that is due each second runs millions of times.
      for (;;) {
        const due = firstDue(end)
        if (due === undefined) break
        time = due.next
        due.next += due.interval
        due.work()
      }
      time = end
    },
    isDueIn: (ms) => repeated.values().some(({ next }) => next === time + ms),
  }
}
