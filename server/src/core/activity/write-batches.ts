import { DatabaseError } from '../../metadata/dialects/errors.ts'

/** The maximum number of rows of a transaction. */
const batchRows = 500

/** A write that failed. */
export interface FailedWrite<Row> {
  readonly error: unknown
  /** The rows to write again. */
  readonly left: readonly Row[]
}

/**
 * Writes rows in transactions of a few hundred, until one fails.
 * @param add writes the rows of one transaction; rejects with DatabaseError
 * @returns null when all are written
 */
export async function writeBatches<Row>(
  rows: readonly Row[],
  add: (batch: readonly Row[]) => Promise<void>,
): Promise<FailedWrite<Row> | null> {
  for (let start = 0; start < rows.length; start += batchRows) {
    try {
      await add(rows.slice(start, start + batchRows))
    } catch (error) {
      // An undecided write may have succeeded, and is not repeated.
      const isUndecided = error instanceof DatabaseError && error.kind === 'undecided'
      return { error, left: rows.slice(isUndecided ? start + batchRows : start) }
    }
  }
  return null
}
