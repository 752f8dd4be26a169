import { Kysely, sql, type Dialect, type RawBuilder } from 'kysely'
import { CommandError } from '../domain/command-error.ts'
import type { Row } from './rows.ts'

/** A database of another service, which stays unchanged. */
export interface SourceDatabase {
  /** @throws CommandError when the database cannot be read */
  readonly read: (query: RawBuilder<Row>) => Promise<readonly Row[]>
  /** The columns of each table. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Reads the database of another service.
 * @param dialect opened for reading
 * @param service its name, for messages
 * @throws CommandError when it cannot be read
 */
export async function withSourceDatabase<Result>(
  dialect: Dialect,
  service: string,
  work: (database: SourceDatabase) => Promise<Result>,
): Promise<Result> {
  const db = new Kysely<unknown>({ dialect })
  const readable = async <Found>(found: Promise<Found>): Promise<Found> => {
    try {
      return await found
    } catch (cause) {
      throw unreadable(service, cause)
    }
  }
  try {
    const columns = await readable(columnsOf(db))
    return await work({ columns, read: async (query) => (await readable(query.execute(db))).rows })
  } finally {
    await db.destroy()
  }
}

function unreadable(service: string, cause: unknown): CommandError {
  const reason =
    cause instanceof Error ? (cause.cause instanceof Error ? cause.cause : cause).message : String(cause)
  const hint = /malformed|not a database|corrupt/i.test(reason)
    ? ' (the file is damaged: sqlite3 FILE .recover writes what can be saved)'
    : ''
  return new CommandError(`${service}'s database cannot be read: ${reason}${hint}`, cause)
}

async function columnsOf(db: Kysely<unknown>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = await db.introspection.getTables()
  return new Map(found.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]))
}

/**
 * @param required the columns of each table that are read
 * @param versions the versions of the service that have them
 * @throws CommandError when tables or columns are missing
 */
export function requireColumns(
  { columns: found }: SourceDatabase,
  required: Readonly<Record<string, readonly string[]>>,
  { service, versions }: { readonly service: string; readonly versions: string },
): void {
  for (const [table, names] of Object.entries(required)) {
    const columns = found.get(table)
    if (columns === undefined)
      throw new CommandError(`this is not a database of ${service}: it has no table ${table}`)
    const missing = names.filter((column) => !columns.has(column))
    if (missing.length > 0)
      throw new CommandError(
        `this is not a database of ${service} ${versions}: the table ${table} has no ${missing.join(', ')}`,
      )
  }
}

/** Rows of a table that are in memory at once. */
const rowsPerPage = 500

/** The rows of a table of SQLite in the order of a key of texts or of integers, page by page. */
export async function* pagesOf(
  { read }: SourceDatabase,
  table: string,
  key: string,
): AsyncGenerator<readonly Row[]> {
  const named = sql.ref(key)
  for (let last: unknown; ;) {
    const after = last === undefined ? sql`` : sql`where ${named} > ${last}`
    const rows = await read(
      sql<Row>`select * from ${sql.table(table)} ${after} order by ${named} limit ${sql.lit(rowsPerPage)}`,
    )
    yield rows
    if (rows.length < rowsPerPage) return
    last = rows.at(-1)?.[key]
  }
}
