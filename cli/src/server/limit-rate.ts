import type { Clock } from '../program.ts'

/** Lets so many bytes pass as are allowed by now: resolves when the next ones may follow. */
export type Limit = (bytes: number, signal: AbortSignal) => Promise<void> | undefined

/** All transfers of a command share the rate. @param rate bytes a second; undefined for no limit */
export function createLimit(clock: Clock, rate: number | undefined): Limit {
  if (rate === undefined) return () => undefined
  // When all that has passed will have been allowed.
  let due = clock.now()
  return (bytes, signal) => {
    const now = clock.now()
    due = Math.max(due, now) + (bytes / rate) * 1000
    return due <= now ? undefined : clock.sleep(due - now, signal)
  }
}
