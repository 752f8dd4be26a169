import { setImmediate as nextIteration, setTimeout as wait } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import { DatabaseError } from '../errors.ts'

/** A write takes less than a millisecond: the first retries follow in the next iterations of the event loop. */
const immediateRetries = 10
const retryMs = 1
const maxRetries = 10_000
/** The maximum after a timeout: otherwise each queued query would wait for the full time. */
const maxRetriesAfterTimeout = 30

/**
 * Runs a query as soon as no other process is writing.
 * @throws DatabaseError when another process writes for 10 s
 */
export type RetryWhileBusy = <Row>(
  work: () => QueryResult<Row> | Promise<QueryResult<Row>>,
) => Promise<QueryResult<Row>>

/**
 * Creates the retries of one connection.
 * @param most the number of retries, each of which takes at least a millisecond
 */
export function busyRetry(most = maxRetries): RetryWhileBusy {
  let hasTimedOut = false
  return async (work) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const returned = work()
        const result = returned instanceof Promise ? await returned : returned
        // Only a write proves that the lock is free.
        if (result.numAffectedRows !== undefined) hasTimedOut = false
        return result
      } catch (error) {
        if (!isBusy(error)) throw toDatabaseError(error)
        if (attempt >= (hasTimedOut ? maxRetriesAfterTimeout : most)) {
          hasTimedOut = true
          throw toDatabaseError(error)
        }
      }
      await (attempt < immediateRetries ? nextIteration() : wait(retryMs))
    }
  }
}

const busyCode = 5

/** Busy, locked, read-only. */
const readOnlyCodes: ReadonlySet<number | undefined> = new Set([busyCode, 6, 8])

/** Out of memory, I/O error, cannot open. */
const refusals: ReadonlySet<number | undefined> = new Set([7, 10, 14])

const fullCode = 13
/** The index of the log could not grow (SQLITE_IOERR_SHMSIZE). The only reason is lack of space. */
const indexFullCode = 4874

/** SQLite's extended result code, if it is an error of SQLite. */
function extendedCodeOf(error: unknown): number | undefined {
  const isOurs = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isOurs ? (error.errcode as number) : undefined
}

/** The primary result code. */
function codeOf(error: unknown): number | undefined {
  const code = extendedCodeOf(error)
  return code === undefined ? undefined : code & 0xff
}

export const isBusy = (error: unknown): boolean => codeOf(error) === busyCode

/** Converts errors of SQLite to `DatabaseError`. Other errors are bugs, and are returned unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (codeOf(error) === fullCode || extendedCodeOf(error) === indexFullCode)
    return new DatabaseError('full', error)
  if (readOnlyCodes.has(codeOf(error))) return new DatabaseError('read-only', error)
  return refusals.has(codeOf(error)) ? new DatabaseError('refused', error) : error
}
