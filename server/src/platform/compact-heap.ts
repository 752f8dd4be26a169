import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Clock } from '../domain/clock.ts'

/**
 * Collects garbage, and returns free memory to the system: V8 would keep it, together with the enlarged space for new objects.
 * It takes 0.1 s. Nothing happens unless Node was started with `--expose-gc`.
 */
function compactHeap(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Milliseconds between two looks at the load. */
const interval = 10_000
/** The share of an interval in which an idle event loop runs at most. */
const idleUtilization = 0.02
/** Bytes that make a compaction worthwhile: of free buffers, and by which the heap has grown. */
const worthwhile = 16 * 1024 * 1024

/** The event loop and the heap of a thread. */
export interface ThreadLoad {
  /** The share of the time since the last call in which the event loop ran, from 0 to 1. */
  utilization(): number
  /** Bytes. */
  heapSize(): number
  compact(): void
  /**
   * Gives up what only load needs: idle threads and free buffers.
   * @returns bytes that the next collection frees outside the heap
   */
  trim(): number
}

/**
 * When the server is idle after its start or after load, gives up what only those need, and compacts the heap if that frees
 * much memory, which V8 does not do by itself.
 * @returns stops it
 */
export function compactAfterLoad({ every }: Pick<Clock, 'every'>, load: ThreadLoad): () => void {
  // The garbage of the start waits for the first idle interval, too: to collect it at once is a fifth of the start.
  let compacted = 0
  let trimmed = 0
  return every(interval, () => {
    // Always asked, so that the next share is of one interval.
    const isIdle = load.utilization() < idleUtilization
    if (!isIdle) return
    trimmed += load.trim()
    if (load.heapSize() - compacted + trimmed < worthwhile) return
    load.compact()
    compacted = load.heapSize()
    trimmed = 0
  })
}

/** @param trim see `ThreadLoad` */
export function mainThread(trim: () => number): ThreadLoad {
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
    trim,
  }
}
