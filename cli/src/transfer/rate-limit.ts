import type { Clock } from '../program/program.ts'

/** Limits a transfer rate: resolves when the next bytes may follow. */
export type RateLimit = (bytes: number, signal: AbortSignal) => Promise<void> | undefined

/**
 * All transfers of a command share the rate.
 * @param rate bytes a second; undefined for no limit
 */
export function createRateLimit(clock: Clock, rate: number | undefined): RateLimit {
  if (rate === undefined) return () => undefined
  // The time at which the rate has allowed all bytes so far.
  let due = clock.now()
  return (bytes, signal) => {
    const now = clock.now()
    due = Math.max(due, now) + (bytes / rate) * 1000
    return due <= now ? undefined : clock.sleep(due - now, signal)
  }
}
