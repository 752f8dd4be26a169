import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'

/** Requests a cleanup before the interval ends. Without a schedule, as in a command, a request has no effect. */
export interface CleanupRequests {
  readonly request: () => void
  /** Calls `work` for each later request. */
  readonly onRequest: (work: () => void) => void
}

export function cleanupRequests(): CleanupRequests {
  const listeners: (() => void)[] = []
  return {
    request: () => {
      for (const work of listeners) work()
    },
    onRequest: (work) => {
      listeners.push(work)
    },
  }
}

interface CleanupSchedule {
  readonly clock: Clock
  readonly log: Logger
  /** Seconds. */
  readonly interval: number
  /**
   * Whether this instance may delete anything now.
   * @throws ServiceError `unavailable`
   */
  readonly mayClean: () => Promise<boolean>
  readonly requests: CleanupRequests
  /**
   * Runs one cleanup.
   * @param signal ends it early
   */
  readonly clean: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Runs cleanups at an interval, one at a time: a second one would repeat the work of one that takes longer than the
 * interval, and occupy another connection to the database. A request during a cleanup starts another one right after it.
 * @returns a function that stops the schedule, and resolves when a running cleanup has ended, at its next batch
 */
export function scheduleCleanup({
  clock,
  log,
  interval,
  requests,
  mayClean,
  clean,
}: CleanupSchedule): () => Promise<void> {
  const end = new AbortController()
  let running: Promise<void> | undefined
  let requestCount = 0
  const cleanOnce = async () => {
    try {
      if (await mayClean()) await clean(end.signal)
    } catch (error) {
      if (!end.signal.aborted) log.error({ err: error }, 'cleanup failed; it will be retried')
    }
  }
  const run = async () => {
    for (let handled = -1; handled !== requestCount && !end.signal.aborted;) {
      handled = requestCount
      await cleanOnce()
    }
    running = undefined
  }
  const stop = clock.every(interval * 1000, () => {
    running ??= run()
  })
  requests.onRequest(() => {
    requestCount += 1
    if (!end.signal.aborted) running ??= run()
  })
  return async () => {
    stop()
    end.abort()
    await running
  }
}
