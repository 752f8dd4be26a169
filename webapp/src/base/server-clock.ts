import { shallowRef } from 'vue'

/** Differences in ms that are ignored: the header has whole seconds, and its transfer takes time. */
const tolerance = 2000

/** Milliseconds by which the server's clock is ahead of the local one. */
const ahead = shallowRef(0)

/**
 * Reads the server's time from a response. Expiry dates are in the server's time, and local clocks may be wrong by hours.
 * @param date value of the header `Date` of a response that has just arrived
 * @param now local time, in ms since the epoch
 */
export function syncServerTime(date: string | null, now = Date.now()): void {
  const received = Date.parse(date ?? '')
  if (Number.isNaN(received)) return
  const difference = received + 500 - now
  ahead.value = Math.abs(difference) < tolerance ? 0 : difference
}

/** The server's time in ms since the epoch; the local time while it is unknown. */
export const serverNow = (now = Date.now()): number => now + ahead.value
