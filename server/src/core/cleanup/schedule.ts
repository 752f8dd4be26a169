import type { Logger } from 'pino'
import type { Clock } from '../../domain/clock.ts'

/** Asks for a cleaning before the next interval is over. Where nothing cleans, as in a command, nothing happens. */
export interface CleanupRequests {
  readonly request: () => void
  /** Calls back for each request from now on. */
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

interface Cleaning {
  readonly clock: Clock
  readonly log: Logger
  /** Seconds. */
  readonly interval: number
  /** Whether this instance may delete anything now. @throws ServiceError `unavailable` */
  readonly mayClean: () => Promise<boolean>
  readonly requests: CleanupRequests
  /** Cleans once. @param signal ends it early */
  readonly clean: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Cleans again and again, one cleaning at a time: one that takes longer than the interval would have the next ones do its
 * work once more, and each of them keeps a connection to the database busy. A request during a cleaning has another one
 * follow it at once.
 * @returns stops; resolves when the cleaning that is under way has ended, at the next batch
 */
export function scheduleCleanup({
  clock,
  log,
  interval,
  requests,
  mayClean,
  clean,
}: Cleaning): () => Promise<void> {
  const end = new AbortController()
  let running: Promise<void> | undefined
  /** Cleanings that were asked for so far. */
  let asked = 0
  const cleanOnce = async () => {
    try {
      if (await mayClean()) await clean(end.signal)
    } catch (error) {
      if (!end.signal.aborted) log.error({ err: error }, 'cleaning failed, it is tried again')
    }
  }
  const run = async () => {
    for (let heard = -1; heard !== asked && !end.signal.aborted;) {
      heard = asked
      await cleanOnce()
    }
    running = undefined
  }
  const stop = clock.every(interval * 1000, () => {
    running ??= run()
  })
  requests.onRequest(() => {
    asked += 1
    if (!end.signal.aborted) running ??= run()
  })
  return async () => {
    stop()
    end.abort()
    await running
  }
}
