import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Clock } from '../domain/clock.ts'

/**
 * Collects garbage, and returns free memory to the system: V8 would keep it, together with the enlarged space for new objects.
 * It takes 0.1 s. Nothing happens unless Node was started with `--expose-gc`.
 */
export function compactHeap(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Milliseconds between two looks at the load. */
const interval = 10_000
/** The share of an interval in which an idle event loop runs at most. */
const idleUtilization = 0.02
/** Bytes by which the heap has grown when it is worth compacting. */
const worthwhile = 16 * 1024 * 1024

/** The event loop and the heap of a thread. */
export interface ThreadLoad {
  /** The share of the time since the last call in which the event loop ran, from 0 to 1. */
  utilization(): number
  /** Bytes. */
  heapSize(): number
  compact(): void
}

/**
 * Compacts the heap when requests have enlarged it and the server is idle again, which V8 does not do by itself.
 * @returns stops it
 */
export function compactAfterLoad(
  { every }: Pick<Clock, 'every'>,
  load: ThreadLoad = mainThread(),
): () => void {
  let compacted = load.heapSize()
  return every(interval, () => {
    // Always asked, so that the next share is of one interval.
    const isIdle = load.utilization() < idleUtilization
    if (!isIdle || load.heapSize() < compacted + worthwhile) return
    load.compact()
    compacted = load.heapSize()
  })
}

function mainThread(): ThreadLoad {
  let last = performance.eventLoopUtilization()
  return {
    utilization() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    heapSize: () => getHeapStatistics().total_heap_size,
    compact: compactHeap,
  }
}
