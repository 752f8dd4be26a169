import { Kysely, sql, type Dialect, type RawBuilder } from 'kysely'
import { CommandError } from '../domain/command-error.ts'
import { whyNotOpened } from './reading/unreadable-source.ts'
import { textOf, type Row } from './rows.ts'

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
 * @param source the name of the service, and the path of a database of SQLite, for messages
 * @throws CommandError when it cannot be read
 */
export async function withSourceDatabase<Result>(
  dialect: Dialect,
  { service, file }: { readonly service: string; readonly file: string | null },
  work: (database: SourceDatabase) => Promise<Result>,
): Promise<Result> {
  const db = new Kysely<unknown>({ dialect })
  const readable = async <Found>(found: Promise<Found>): Promise<Found> => {
    try {
      return await found
    } catch (cause) {
      throw unreadable(service, file, cause)
    }
  }
  try {
    const columns = await readable(columnsOf(db))
    return await work({ columns, read: async (query) => (await readable(query.execute(db))).rows })
  } finally {
    await db.destroy()
  }
}

function unreadable(service: string, file: string | null, cause: unknown): CommandError {
  const reason =
    cause instanceof Error ? (cause.cause instanceof Error ? cause.cause : cause).message : String(cause)
  const opened =
    /unable to open|readonly|permission/i.test(reason) && file !== null ? whyNotOpened(file) : undefined
  if (opened !== undefined)
    return new CommandError(`${service}'s database cannot be read: ${opened.message}`, cause)
  const name = file === null ? 'database' : `database ${file}`
  const hint = /malformed|not a database|corrupt/i.test(reason)
    ? ' (the file is damaged: docs/importing.md has the command that saves what is readable, "Damaged databases")'
    : ''
  return new CommandError(`${service}'s ${name} cannot be read: ${reason}${hint}`, cause)
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

/** A value of SQLite, with an integer as text: one of 64 bits fits no number of JavaScript, and the driver refuses it. */
export const integersAsText = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case typeof(${column}) when 'integer' then cast(${column} as text) else ${column} end`

/** The start of a query for all columns of a table of SQLite, with integers as text. */
export function selectFrom(
  { columns }: Pick<SourceDatabase, 'columns'>,
  table: string,
  more: readonly RawBuilder<unknown>[] = [],
): RawBuilder<Row> {
  const names = [...(columns.get(table) ?? [])]
  const values = names.map((name) => sql`${integersAsText(sql.id(name))} as ${sql.id(name)}`)
  return sql<Row>`select ${sql.join([...values, ...more])} from ${sql.table(table)}`
}

/** The names of the number of a row in SQLite. */
const rowNumbers = ['rowid', '_rowid_', 'oid'] as const

/** The column of the number in a page. */
const rowNumber = 'svc row number'

/**
 * The rows of a table of SQLite, page by page, in the order of their numbers: keys of a damaged table may be absent or repeated.
 * @throws CommandError when its rows have no accessible number
 */
export async function* pagesOf(database: SourceDatabase, table: string): AsyncGenerator<readonly Row[]> {
  const columns = new Set([...(database.columns.get(table) ?? [])].map((name) => name.toLowerCase()))
  const name = rowNumbers.find((candidate) => !columns.has(candidate))
  if (name === undefined) throw new CommandError(`the rows of the table ${table} cannot be read one by one`)
  const number = sql.raw(name)
  for (let last: string | undefined; ;) {
    const after = last === undefined ? sql`` : sql`where ${number} > cast(${last} as integer)`
    const rows = await database.read(
      sql<Row>`${selectFrom(database, table, [sql`cast(${number} as text) as ${sql.id(rowNumber)}`])} ${after} order by ${number} limit ${sql.lit(rowsPerPage)}`,
    )
    yield rows
    const end = rows.at(-1)
    if (rows.length < rowsPerPage || end === undefined) return
    last = textOf(end, rowNumber)
  }
}
