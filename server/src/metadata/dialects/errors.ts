import { databaseBusy, databaseFull, unavailable, ServiceError } from '../../domain/errors.ts'
import type { NetworkDatabaseOptions } from './dialect.ts'

/**
 * The outcome of a failed statement or transaction:
 * - `conflict`: rolled back because of another transaction, such as a deadlock
 * - `full`: not executed, because there is no space
 * - `busy`: not executed, because no connection was free in time
 * - `refused`: not executed, and an immediate retry would not help
 * - `lost`: the connection is lost, with everything that was not committed on it
 * - `undecided`: the connection was lost during a commit, which may have succeeded or not
 * - `other`: a bug, or a violated constraint
 */
export type DatabaseErrorKind = 'conflict' | 'full' | 'busy' | 'refused' | 'lost' | 'undecided' | 'other'

/** The database cannot do the work now. The code is `unavailable` or `database_full`. */
export class DatabaseError extends ServiceError {
  readonly kind: Exclude<DatabaseErrorKind, 'other'>

  constructor(kind: Exclude<DatabaseErrorKind, 'other'>, cause: unknown) {
    const { code, message, headers } = errorOf(kind)
    super(code, message, { cause, headers })
    this.kind = kind
  }
}

function errorOf(kind: DatabaseErrorKind): ServiceError {
  if (kind === 'full') return databaseFull()
  return kind === 'busy' ? databaseBusy() : unavailable('the database')
}

/** All connections of a pool were used for too long. The database may be reachable. */
export class NoFreeConnection extends Error {
  override readonly name = 'NoFreeConnection'

  constructor({ maxConnections, acquireTimeout }: NetworkDatabaseOptions) {
    super(
      `none of the ${String(maxConnections)} connections (MaxConnections) was free within ${String(acquireTimeout)} ms`,
    )
  }
}

/** The maximum number of retries after conflicts: by then, the other transactions have ended. */
const maxConflicts = 8

/**
 * Runs work that is rolled back when it fails, and retries it when that is safe: after a conflict, and once after a lost
 * connection. Work that may have been committed is not retried.
 * @throws DatabaseError
 */
export async function retry<Result>(work: () => Promise<Result>): Promise<Result> {
  let conflicts = 0
  let lost = 0
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      if (error.kind === 'conflict' && conflicts < maxConflicts) conflicts += 1
      else if (error.kind === 'lost' && lost < 1) lost += 1
      else throw error
    }
  }
}
