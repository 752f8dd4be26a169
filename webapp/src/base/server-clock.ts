import { shallowRef } from 'vue'

/** The header counts whole seconds, and was a moment on its way: what is within is no difference. */
const tolerance = 2000

/** ms that the server's clock is ahead of this computer's. */
const ahead = shallowRef(0)

/**
 * Learns from an answer what time it is. Expiry dates are in the server's time, and computers whose clocks are
 * off by hours, or by a day, are not rare.
 * @param date value of the header `Date`, of an answer that came just now
 * @param now this computer's time, in ms since the epoch
 */
export function syncServerTime(date: string | null, now = Date.now()): void {
  const received = Date.parse(date ?? '')
  if (Number.isNaN(received)) return
  const difference = received + 500 - now
  ahead.value = Math.abs(difference) < tolerance ? 0 : difference
}

/** The server's time, in ms since the epoch, as far as it is known; else this computer's. */
export const serverNow = (now = Date.now()): number => now + ahead.value
