import {
  databaseBusy,
  databaseFull,
  databaseReadOnly,
  unavailable,
  ServiceError,
} from '../../domain/errors.ts'
import type { NetworkDatabaseOptions } from './dialect.ts'

/**
 * The outcome of a failed statement or transaction:
 * - `conflict`: rolled back because of another transaction, such as a deadlock
 * - `full`: not executed, because there is no space
 * - `read-only`: not executed, because the database accepts no writes: it is a standby, read-only, or locked by another process
 * - `busy`: not executed, because no connection was free in time
 * - `refused`: not executed, and an immediate retry would not help
 * - `lost`: the connection is lost, with everything that was not committed on it
 * - `undecided`: the connection was lost during a commit, which may have succeeded or not
 * - `other`: a bug, or a violated constraint
 */
export type DatabaseErrorKind =
  'conflict' | 'full' | 'read-only' | 'busy' | 'refused' | 'lost' | 'undecided' | 'other'

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
  if (kind === 'read-only') return databaseReadOnly()
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

/** The database refuses another connection: PostgreSQL; MariaDB and MySQL, in total and of the user. */
const tooManyConnections: ReadonlySet<unknown> = new Set(['53300', 1040, 1203, 1226])

/** Whether an error or one of its causes says that the database has too many connections. */
export function isTooManyConnections(error: unknown): boolean {
  for (let next = error; next instanceof Error; next = next.cause) {
    const { code, errno } = next as Error & { readonly code?: unknown; readonly errno?: unknown }
    if (tooManyConnections.has(code) || tooManyConnections.has(errno)) return true
  }
  return false
}

/** Whether the connection is of no further use. */
export const needsReconnect = (kind: DatabaseErrorKind): boolean => kind === 'lost' || kind === 'read-only'

/** The maximum number of retries after conflicts: by then, the other transactions have ended. */
const maxConflicts = 8

/**
 * Runs work that is rolled back when it fails, and retries it when that is safe: after a conflict, and once after a lost
 * connection or on a database that accepts no writes, because a new connection may lead to the current primary. Work that
 * may have been committed is not retried.
 * @throws DatabaseError
 */
export async function retry<Result>(work: () => Promise<Result>): Promise<Result> {
  let conflicts = 0
  let reconnects = 0
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      if (error.kind === 'conflict' && conflicts < maxConflicts) conflicts += 1
      else if (needsReconnect(error.kind) && reconnects < 1) reconnects += 1
      else throw error
    }
  }
}
