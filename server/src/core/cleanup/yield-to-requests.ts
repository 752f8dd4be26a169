import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between two samples of the event loop's utilization. */
const sampleMs = 1

/** Milliseconds: one slow batch on a busy machine must not cause a long pause. */
const maxPauseMs = 250

/** Above this utilization, the event loop is busy with requests. */
const busyUtilization = 0.5

/**
 * Gives requests precedence over long work. A pause takes a millisecond. While requests keep the event loop busy, it
 * takes as long as the event loop was busy since the previous pause. Waiting for the disk or a database does not count.
 * @param signal ends a pause early
 * @returns a function that pauses
 */
export function yieldToRequests(signal: AbortSignal): () => Promise<void> {
  let before = performance.eventLoopUtilization()
  return async () => {
    const max = Math.min(performance.eventLoopUtilization(before).active, maxPauseMs)
    const start = performance.now()
    for (let isBusy = true; isBusy && !signal.aborted;) {
      const sample = performance.eventLoopUtilization()
      await wait(sampleMs, undefined, { signal, ref: false }).catch(() => undefined)
      isBusy =
        performance.eventLoopUtilization(sample).utilization > busyUtilization &&
        performance.now() - start < max
    }
    before = performance.eventLoopUtilization()
  }
}
