import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds: a batch that was slow, as the machine was busy, is no reason to stand still for long. */
const longestRest = 250

/**
 * Makes long work leave time to others: each rest takes as long as the event loop was busy since the one before, so that
 * requests have it at least half of the time. Waiting for the disk or a database on the network is no reason to rest.
 * @param signal ends a rest early
 */
export function yieldToRequests(signal: AbortSignal): () => Promise<void> {
  let before = performance.eventLoopUtilization()
  return async () => {
    const { active } = performance.eventLoopUtilization(before)
    await wait(Math.min(active, longestRest), undefined, { signal, ref: false }).catch(() => undefined)
    before = performance.eventLoopUtilization()
  }
}
