import type { Clock } from '../domain/clock.ts'

const intervalMs = 60_000

/** Calls a function that logs at most once a minute, because clients can cause these lines at any rate. */
export function logInterval(clock: Pick<Clock, 'now'>): (log: () => void) => void {
  let loggedAt = -Infinity
  return (log) => {
    const now = clock.now()
    if (now - loggedAt < intervalMs) return
    loggedAt = now
    log()
  }
}
