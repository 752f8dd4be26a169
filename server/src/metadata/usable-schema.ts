import type { Kysely } from 'kysely'
import { CommandError } from '../domain/command-error.ts'
import type { Capabilities } from './dialects/dialect.ts'
import { migrationsOf } from './inspect.ts'
import type { Schema } from './query/schema.ts'

/**
 * Whether a command can use the tables of a database as they are; false if there are none yet. Only the server migrates a
 * database, because an earlier program cannot use it afterwards.
 * @throws CommandError when migrations are missing, and an error when this program cannot use the database
 */
export async function usableSchema(db: Kysely<Schema>, capabilities: Capabilities): Promise<boolean> {
  const { isNew, pending, refusal } = await migrationsOf(db, capabilities)
  if (refusal !== null) throw new Error(`it ${refusal}`)
  if (isNew) return false
  if (pending.length === 0) return true
  throw new CommandError(
    `the database has the format of an earlier svcd (missing: ${pending.join(', ')}): the server of this version migrates it at its start. Make a backup first`,
  )
}
