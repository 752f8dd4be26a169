import { shallowRef } from 'vue'
import { onResponse } from './responses.ts'
import { defineStore } from './store.ts'

/** Differences in ms that are ignored: the header has whole seconds, and its transfer takes time. */
const tolerance = 2000

/** The clock of the server. Expiry dates are in its time, and local clocks may be wrong by hours. */
export const useServerClock = defineStore(() => {
  /** Milliseconds by which it is ahead of the local one. */
  const ahead = shallowRef(0)
  onResponse((reported) => {
    if (!('date' in reported)) return
    const received = Date.parse(reported.date ?? '')
    if (Number.isNaN(received)) return
    const difference = received + 500 - Date.now()
    ahead.value = Math.abs(difference) < tolerance ? 0 : difference
  })
  return {
    /** The server's time in ms since the epoch; the local time while it is unknown. */
    serverNow: (now = Date.now()): number => now + ahead.value,
  }
})
