import type { CreateTableNode, RootOperationNode } from 'kysely'
import type { QueryError } from 'mysql2'
import type { Client } from './pooled-driver.ts'

/** The table exists already. */
const knownTable = 1050

/** The column or the index exists; the index to drop does not; the foreign key exists (MySQL). */
const applied: ReadonlySet<number | undefined> = new Set([1060, 1061, 1091, 1826])

/** The foreign key exists (MariaDB): the error says that the table cannot be changed, with the reason as a number. */
const isKnownForeignKey = ({ errno, message }: QueryError): boolean =>
  errno === 1005 && message.includes('errno: 121')

/**
 * Whether a schema change fails because it was applied before. MySQL cannot roll back schema changes: an interrupted
 * migration leaves some of them, and runs again at the next start.
 */
export async function isAlreadyApplied(
  client: Client,
  change: RootOperationNode,
  error: unknown,
): Promise<boolean> {
  const failure = error as QueryError
  if (failure.errno === knownTable) return change.kind === 'CreateTableNode' && isOurs(client, change)
  return applied.has(failure.errno) || isKnownForeignKey(failure)
}

/** Whether a table has the columns of ours: a table of another application may have the same name. */
async function isOurs(client: Client, { table, columns }: CreateTableNode): Promise<boolean> {
  const { rows } = await client.query(
    'select column_name as name from information_schema.columns where table_schema = database() and table_name = ?',
    [table.table.identifier.name],
  )
  const found = (rows as { readonly name: string }[]).map(({ name }) => name)
  const wanted = columns.map(({ column }) => column.column.name)
  return found.toSorted().join() === wanted.toSorted().join()
}
