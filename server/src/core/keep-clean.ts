import type { Logger } from 'pino'
import type { Clock } from '../domain/clock.ts'

interface Cleaning {
  readonly clock: Clock
  readonly log: Logger
  /** Seconds. */
  readonly interval: number
  /** Whether this instance may delete anything now. @throws ServiceError `unavailable` */
  readonly mayClean: () => Promise<boolean>
  /** Cleans once. @param signal ends it early */
  readonly clean: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Cleans again and again, one cleaning at a time: one that takes longer than the interval would have the next ones do its
 * work once more, and each of them keeps a connection to the database busy.
 * @returns stops; resolves when the cleaning that is under way has ended, at the next file
 */
export function keepClean({ clock, log, interval, mayClean, clean }: Cleaning): () => Promise<void> {
  const end = new AbortController()
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      if (await mayClean()) await clean(end.signal)
    } catch (error) {
      if (!end.signal.aborted) log.error({ err: error }, 'cleaning failed, it is tried again')
    }
    running = undefined
  }
  const stop = clock.every(interval * 1000, () => {
    running ??= run()
  })
  return async () => {
    stop()
    end.abort()
    await running
  }
}
