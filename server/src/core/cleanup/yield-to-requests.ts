import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between two looks at what the event loop does. */
const lookMs = 1

/** Milliseconds: a batch that was slow, as the machine was busy, is no reason to stand still for long. */
const longestRest = 250

/** The part of a look from which on the event loop is busy with requests. */
const busy = 0.5

/**
 * Lets requests go before long work. Each rest takes a moment, and longer while requests keep the event loop busy: as long
 * as it was busy since the rest before. Waiting for the disk or a database is no reason to rest.
 * @param signal ends a rest early
 */
export function yieldToRequests(signal: AbortSignal): () => Promise<void> {
  let before = performance.eventLoopUtilization()
  return async () => {
    const most = Math.min(performance.eventLoopUtilization(before).active, longestRest)
    const start = performance.now()
    for (let isBusy = true; isBusy && !signal.aborted;) {
      const look = performance.eventLoopUtilization()
      await wait(lookMs, undefined, { signal, ref: false }).catch(() => undefined)
      isBusy = performance.eventLoopUtilization(look).utilization > busy && performance.now() - start < most
    }
    before = performance.eventLoopUtilization()
  }
}
