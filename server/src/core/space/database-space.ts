import type { Logger } from 'pino'
import { ServiceError } from '../../domain/errors.ts'
import { DatabaseError } from '../../metadata/dialects/errors.ts'

/** Whether the database accepts changes, derived from the results of past changes. */
export interface DatabaseSpace {
  /** Whether it has no space for changes. */
  isFull(): boolean
  /** Whether it accepts no writes: it is a standby, read-only, or locked by another process. */
  isReadOnly(): boolean
  /** Called with each failure of the database, of any kind. */
  readonly report: (error: unknown) => void
  /**
   * Called after each heartbeat. A small row may fit where others do not, so after a lack of space, only the second success
   * in succession counts.
   */
  heartbeatWritten(): void
}

const isFull = (error: unknown): boolean => error instanceof ServiceError && error.code === 'database_full'

const isReadOnly = (error: unknown): boolean => error instanceof DatabaseError && error.kind === 'read-only'

export function databaseSpace(log: Logger): DatabaseSpace {
  let state: 'available' | 'read-only' | 'full' | 'recovering' = 'available'
  const report = (error: unknown) => {
    if (isFull(error)) {
      if (state === 'available' || state === 'read-only')
        log.error({ err: error }, 'the database has no space left: nothing can be changed')
      state = 'full'
    } else if (isReadOnly(error) && state === 'available') {
      log.error({ err: error }, 'the database accepts no writes: nothing can be changed')
      state = 'read-only'
    }
  }
  return {
    isFull: () => state === 'full' || state === 'recovering',
    isReadOnly: () => state === 'read-only',
    report,
    heartbeatWritten() {
      if (state === 'recovering') log.warn('the database has space again')
      if (state === 'read-only') log.warn('the database accepts writes again')
      state = state === 'full' ? 'recovering' : 'available'
    },
  }
}

/**
 * Makes an optional change, and ignores its failure when the database has no space for it, or accepts no writes. While it
 * accepts none, the change is not tried: a refused write costs two connections, because the driver retries it on another.
 * @throws any other error
 */
export async function ifWritable(
  { databaseSpace }: { readonly databaseSpace: Pick<DatabaseSpace, 'isReadOnly'> },
  change: () => Promise<unknown>,
): Promise<void> {
  if (databaseSpace.isReadOnly()) return
  try {
    await change()
  } catch (error) {
    if (!isFull(error) && !isReadOnly(error)) throw error
  }
}
