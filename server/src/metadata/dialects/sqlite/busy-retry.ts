import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import { DatabaseError } from '../errors.ts'

/** A write takes less than a millisecond: at first it is tried again in the next turns of the event loop. */
const soon = 10
const retryMs = 1
const mostRetries = 10_000
/** Of those who come while somebody has waited so long in vain: they stand in a queue, and each would wait anew. */
const mostRetriesInVain = 30

/** Does something as soon as no other process is writing. @throws DatabaseFailure when one writes for 10 s */
export type RetryWhileBusy = <Row>(work: () => QueryResult<Row>) => Promise<QueryResult<Row>>

/** The patience of one connection. */
export function busyRetry(): RetryWhileBusy {
  let inVain = false
  return async (work) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const result = work()
        // Reading is possible while others write.
        if (result.numAffectedRows !== undefined) inVain = false
        return result
      } catch (error) {
        if (!isBusy(error)) throw failureOf(error)
        if (attempt >= (inVain ? mostRetriesInVain : mostRetries)) {
          inVain = true
          throw failureOf(error)
        }
      }
      await (attempt < soon ? nextTurn() : wait(retryMs))
    }
  }
}

const busyCode = 5

/** Busy, locked, out of memory, read-only, input or output failed, not to be opened. */
const refusals: ReadonlySet<number | undefined> = new Set([busyCode, 6, 7, 8, 10, 14])

const fullCode = 13
/** The index of the log could not grow (SQLITE_IOERR_SHMSIZE), which lacks space alone. */
const indexFullCode = 4874

/** SQLite's extended result code, where it is SQLite that failed. */
function extendedCodeOf(error: unknown): number | undefined {
  const isOurs = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isOurs ? (error.errcode as number) : undefined
}

/** The primary one. */
function codeOf(error: unknown): number | undefined {
  const code = extendedCodeOf(error)
  return code === undefined ? undefined : code & 0xff
}

export const isBusy = (error: unknown): boolean => codeOf(error) === busyCode

/** What whoever asked is told: a database that cannot do its work now is no mistake of ours. */
export function failureOf(error: unknown): unknown {
  if (codeOf(error) === fullCode || extendedCodeOf(error) === indexFullCode)
    return new DatabaseError('full', error)
  return refusals.has(codeOf(error)) ? new DatabaseError('refused', error) : error
}
