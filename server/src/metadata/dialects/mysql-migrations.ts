import type { CreateTableNode, RootOperationNode } from 'kysely'
import type { QueryError } from 'mysql2'
import type { Client } from './pooled-driver.ts'

/** A table of this name is there. */
const knownTable = 1050

/** A column, an index is there; an index is not; a foreign key is there, as MySQL tells it. */
const made: ReadonlySet<number | undefined> = new Set([1060, 1061, 1091, 1826])

/** The same of a foreign key as MariaDB tells it: a table cannot be changed, and the reason is a number in the message. */
const isKnownForeignKey = ({ errno, message }: QueryError): boolean =>
  errno === 1005 && message.includes('errno: 121')

/**
 * Whether a change of the schema fails because it is made. MySQL cannot undo such changes: a migration that was
 * interrupted, by the end of the process or of its connection, leaves some, and is begun anew at the next start.
 */
export async function isMade(client: Client, change: RootOperationNode, error: unknown): Promise<boolean> {
  const failure = error as QueryError
  if (failure.errno === knownTable) return change.kind === 'CreateTableNode' && isOurs(client, change)
  return made.has(failure.errno) || isKnownForeignKey(failure)
}

/** A table of somebody else may have the same name, but not the same columns. */
async function isOurs(client: Client, { table, columns }: CreateTableNode): Promise<boolean> {
  const { rows } = await client.query(
    'select column_name as name from information_schema.columns where table_schema = database() and table_name = ?',
    [table.table.identifier.name],
  )
  const found = (rows as { readonly name: string }[]).map(({ name }) => name)
  const wanted = columns.map(({ column }) => column.column.name)
  return found.toSorted().join() === wanted.toSorted().join()
}
