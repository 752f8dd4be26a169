import type { Logger } from 'pino'
import { ServiceError } from '../../domain/errors.ts'

/** Whether the database has space for changes, derived from the results of past changes. */
export interface DatabaseSpace {
  isFull(): boolean
  /** Called with each failure of the database, of any kind. */
  readonly report: (error: unknown) => void
  /**
   * Called after each heartbeat. A small row may fit where others do not, so only the second success in succession
   * counts.
   */
  heartbeatWritten(): void
}

const isFull = (error: unknown): boolean => error instanceof ServiceError && error.code === 'database_full'

export function databaseSpace(log: Logger): DatabaseSpace {
  let state: 'available' | 'full' | 'recovering' = 'available'
  const report = (error: unknown) => {
    if (!isFull(error)) return
    if (state === 'available')
      log.error({ err: error }, 'the database has no space left: nothing can be changed')
    state = 'full'
  }
  return {
    isFull: () => state !== 'available',
    report,
    heartbeatWritten() {
      if (state === 'recovering') log.warn('the database has space again')
      state = state === 'full' ? 'recovering' : 'available'
    },
  }
}

/**
 * Ignores the failure of an optional change when the database has no space for it.
 * @throws any other error
 */
export async function unlessFull(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!isFull(error)) throw error
  }
}
