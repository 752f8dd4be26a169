import { sql, type InsertObject } from 'kysely'
import type { MetadataDialect } from '../dialects/dialect.ts'
import type { Db } from './prepared.ts'
import type { Schema } from './schema.ts'

/**
 * Escapes in JSON that PostgreSQL cannot store as text: NUL, and half a surrogate pair. It also finds some harmless texts with
 * backslashes, whose rows are then inserted as values.
 */
const unstorable = /\\u(?:0000|d[89a-f])/

/**
 * Inserts many rows with the same columns, as one array in JSON where the database reads it faster.
 * @throws ServiceError `invalid_request` when a text contains NUL
 */
export async function insertRows<Table extends keyof Schema>(
  db: Db,
  { jsonRows }: Pick<MetadataDialect, 'jsonRows'>,
  table: Table,
  rows: readonly InsertObject<Schema, Table>[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const json = jsonRows === null ? null : JSON.stringify(rows)
  if (jsonRows === null || json === null || unstorable.test(json)) {
    await db.insertInto(table).values(rows).execute()
    return
  }
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns}
    from ${sql.raw(jsonRows)}(null::${sql.table(table)}, ${json}::json)`.execute(db)
}
