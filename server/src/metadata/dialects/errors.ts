import { databaseFull, unavailable, ServiceError } from '../../domain/errors.ts'

/**
 * What became of a statement or transaction that the database did not answer as it should:
 * - `conflict`: rolled back because of others, such as a deadlock
 * - `full`: nothing was done, as there is no space for it
 * - `refused`: nothing was done, and trying again at once would not help
 * - `lost`: the connection is gone, and so is what was not committed on it
 * - `undecided`: the connection was lost at a moment when the change may have been kept or not
 * - `other`: a mistake of ours, or a rule of the database
 */
export type DatabaseErrorKind = 'conflict' | 'full' | 'refused' | 'lost' | 'undecided' | 'other'

/** The database cannot do the work right now: a refusal, `unavailable` or `database_full`, unless somebody tries it again. */
export class DatabaseError extends ServiceError {
  readonly kind: Exclude<DatabaseErrorKind, 'other'>

  constructor(kind: Exclude<DatabaseErrorKind, 'other'>, cause: unknown) {
    const { code, message, headers } = kind === 'full' ? databaseFull() : unavailable('the database')
    super(code, message, { cause, headers })
    this.kind = kind
  }
}

/** Times that a piece of work is begun anew because of others; they are gone by then. */
const mostConflicts = 8

/**
 * Does work that leaves nothing behind when it fails, and does it anew where that is safe: after a conflict, and
 * once after a lost connection. What may have been kept is never done twice.
 * @throws DatabaseFailure
 */
export async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  let conflicts = 0
  let lost = 0
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      if (error.kind === 'conflict' && conflicts < mostConflicts) conflicts += 1
      else if (error.kind === 'lost' && lost < 1) lost += 1
      else throw error
    }
  }
}
