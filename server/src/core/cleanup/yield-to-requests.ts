import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between two looks at what the event loop does. */
const lookMs = 1

/** Milliseconds: a batch that was slow, as the machine was busy, is no reason to stand still for long. */
const longestRest = 250

/** The part of a look from which on the event loop is busy with requests. */
const busy = 0.5

/**
 * Makes long work leave time to others. Each rest takes half as long as the event loop was busy since the one before, and
 * as much again while requests keep it busy: they have it a third of the time, and half of it when they need that. Waiting
 * for the disk or a database on the network is no reason to rest.
 * @param signal ends a rest early
 */
export function yieldToRequests(signal: AbortSignal): () => Promise<void> {
  let before = performance.eventLoopUtilization()
  return async () => {
    const most = Math.min(performance.eventLoopUtilization(before).active, longestRest)
    const start = performance.now()
    for (let rested = 0, isBusy = true; rested < (isBusy ? most : most / 2) && !signal.aborted;) {
      const look = performance.eventLoopUtilization()
      await wait(lookMs, undefined, { signal, ref: false }).catch(() => undefined)
      isBusy = performance.eventLoopUtilization(look).utilization > busy
      rested = performance.now() - start
    }
    before = performance.eventLoopUtilization()
  }
}
