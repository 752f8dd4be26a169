import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between two samples of the event loop's utilization. */
const sampleMs = 1

/** Milliseconds: one slow batch on a busy machine must not cause a long rest. */
const maxRest = 250

/** The utilization from which on the event loop is busy with requests. */
const busyUtilization = 0.5

/**
 * Lets requests go before long work. Each rest takes a moment, and longer while requests keep the event loop busy: as long
 * as it was busy since the rest before. Waiting for the disk or a database is no reason to rest.
 * @param signal ends a rest early
 */
export function yieldToRequests(signal: AbortSignal): () => Promise<void> {
  let before = performance.eventLoopUtilization()
  return async () => {
    const max = Math.min(performance.eventLoopUtilization(before).active, maxRest)
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
