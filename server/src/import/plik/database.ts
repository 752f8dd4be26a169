import { sql, type Dialect, type RawBuilder } from 'kysely'
import { CommandError } from '../../domain/command-error.ts'
import type { PlikDatabaseAddress } from './connection.ts'
import { integersAsText, requireColumns, withSourceDatabase } from '../database.ts'
import { textOf, type Row } from '../rows.ts'

/** Uploads in the order of their ids, with the rows of their files. */
export interface UploadPage {
  readonly uploads: readonly Row[]
  readonly filesOf: ReadonlyMap<string, readonly Row[]>
}

export interface PlikDatabase {
  readonly users: () => AsyncGenerator<readonly Row[]>
  readonly tokens: () => AsyncGenerator<readonly Row[]>
  readonly uploads: () => AsyncGenerator<UploadPage>
}

type Table = 'users' | 'tokens' | 'uploads' | 'files'
type Kind = 'text' | 'number' | 'flag' | 'time'

/** The columns that are read. Those after `since` are absent in earlier versions. */
const tables: Readonly<
  Record<
    Table,
    { readonly required: Readonly<Record<string, Kind>>; readonly since: Readonly<Record<string, Kind>> }
  >
> = {
  users: {
    required: {
      id: 'text',
      provider: 'text',
      login: 'text',
      password: 'text',
      name: 'text',
      email: 'text',
      is_admin: 'flag',
      created_at: 'time',
    },
    since: {
      theme: 'text',
      language: 'text',
      max_file_size: 'number',
      max_user_size: 'number',
      max_ttl: 'number',
    },
  },
  tokens: { required: { token: 'text', comment: 'text', user_id: 'text', created_at: 'time' }, since: {} },
  uploads: {
    required: {
      id: 'text',
      ttl: 'number',
      remote_ip: 'text',
      comments: 'text',
      upload_token: 'text',
      user: 'text',
      token: 'text',
      stream: 'flag',
      one_shot: 'flag',
      removable: 'flag',
      protected_by_password: 'flag',
      login: 'text',
      password: 'text',
      created_at: 'time',
      deleted_at: 'time',
      expire_at: 'time',
    },
    since: { extend_ttl: 'flag', e2ee: 'text' },
  },
  files: {
    required: {
      id: 'text',
      upload_id: 'text',
      name: 'text',
      status: 'text',
      md5: 'text',
      type: 'text',
      size: 'number',
      reference: 'text',
      created_at: 'time',
    },
    since: {},
  },
}

/** The migrations of Plik 1.3 and 1.4. */
const knownMigrations: ReadonlySet<string> = new Set([
  'SCHEMA_INIT',
  '0001-initial',
  '0002-user-limits',
  '0003-extend-ttl',
  '0004-max-user-size',
  '0005-cli-auth-sessions',
  '0006-user-profile-picture',
  '0007-upload-e2ee',
  '0008-user-theme',
  '0009-upload-events',
  '0009-file-is-text',
  '0010-user-language',
  '0011-stats',
])

/** Rows of users and tokens that are in memory at once. */
const rowsPerPage = 500

/** The maximum of uploads of a page. Plik has no index of the files of an upload, so each page reads the whole table of files. */
const uploadsPerPage = 10_000
/** The maximum of files of a page, unless one upload has more. */
const filesPerPage = 50_000

/**
 * Reads a database of Plik, which stays unchanged.
 * @param dialect opened for reading
 * @throws CommandError when it is damaged, of a newer version, or not of Plik
 */
export const withPlikDatabase = <Result>(
  dialect: Dialect,
  { driver, connectionString }: PlikDatabaseAddress,
  work: (database: PlikDatabase) => Promise<Result>,
): Promise<Result> => {
  const file = driver === 'sqlite3' ? connectionString : null
  return withSourceDatabase(dialect, { service: 'Plik', file }, async (database) => {
    const { read, columns } = database
    requireColumns(database, required, { service: 'Plik', versions: '1.3 or 1.4' })
    if (columns.has('migrations'))
      requireKnownVersion((await read(sql<Row>`select id from migrations`)).map((row) => textOf(row, 'id')))
    return work(reader(read, columns, driver))
  })
}

const required = Object.fromEntries(
  Object.entries(tables).map(([table, columns]) => [table, Object.keys(columns.required)]),
)

function requireKnownVersion(migrations: readonly string[]): void {
  const unknown = migrations.filter((name) => !knownMigrations.has(name))
  if (unknown.length > 0)
    throw new CommandError(
      `the database has migrations of a newer Plik (${unknown.join(', ')}), which this svcd cannot read: update svcd`,
    )
}

function reader(
  read: (query: RawBuilder<Row>) => Promise<readonly Row[]>,
  present: ReadonlyMap<string, ReadonlySet<string>>,
  driver: PlikDatabaseAddress['driver'],
): PlikDatabase {
  const selectionOf = (table: Table) => {
    const { required, since } = tables[table]
    const columns = Object.entries({ ...required, ...since }).filter(([name]) =>
      present.get(table)?.has(name),
    )
    return sql`select ${sql.join(columns.map(([name, kind]) => sql`${expression(driver, name, kind)} as ${sql.ref(name)}`))} from ${sql.table(table)}`
  }
  const after = (table: Table, key: string, last: string, limit: number) =>
    read(
      sql<Row>`${selectionOf(table)} where ${sql.ref(key)} > ${last} order by ${sql.ref(key)} limit ${sql.lit(limit)}`,
    )
  async function* pagesOf(table: 'users' | 'tokens', key: string): AsyncGenerator<readonly Row[]> {
    for (let last = '', rows; ; last = String(rows.at(-1)?.[key])) {
      rows = await after(table, key, last, rowsPerPage)
      yield rows
      if (rows.length < rowsPerPage) return
    }
  }
  /** Files of uploads after one id, up to another. */
  const within = (last: string, upTo: string | null) => {
    const conditions = [
      ...(last === '' ? [] : [sql`upload_id > ${last}`]),
      ...(upTo === null ? [] : [sql`upload_id <= ${upTo}`]),
    ]
    return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  }
  const countFiles = async (last: string, upTo: string | null) => {
    const [row] = await read(sql<Row>`select count(*) as files from files ${within(last, upTo)}`)
    return Number(row?.['files'] ?? 0)
  }
  async function* uploads(): AsyncGenerator<UploadPage> {
    for (let last = '', upTo: string | null = ''; upTo !== null; last = upTo ?? '') {
      let page = await after('uploads', 'id', last, uploadsPerPage)
      upTo = page.length < uploadsPerPage ? null : idOfLast(page)
      while (page.length > 1 && (await countFiles(last, upTo)) > filesPerPage) {
        page = page.slice(0, Math.ceil(page.length / 2))
        upTo = idOfLast(page)
      }
      const files = await read(sql<Row>`${selectionOf('files')} ${within(last, upTo)}`)
      yield { uploads: page, filesOf: Map.groupBy(files, (row) => textOf(row, 'upload_id')) }
    }
  }
  return { users: () => pagesOf('users', 'id'), tokens: () => pagesOf('tokens', 'token'), uploads }
}

const idOfLast = (rows: readonly Row[]): string => String(rows.at(-1)?.['id'])

/** Times as milliseconds since the epoch, and numbers, both as text. SQLite has times as text. */
function expression(driver: PlikDatabaseAddress['driver'], name: string, kind: Kind): RawBuilder<unknown> {
  const column = sql.ref(name)
  switch (driver) {
    case 'sqlite3':
      return kind === 'number' ? sql`cast(${column} as text)` : integersAsText(column)
    case 'postgres':
      if (kind === 'time') return sql`floor(extract(epoch from ${column}) * 1000)::bigint::text`
      return kind === 'number' ? sql`${column}::text` : column
    case 'mysql':
      // Go's driver writes UTC.
      if (kind === 'time')
        return sql`cast(timestampdiff(microsecond, '1970-01-01', ${column}) div 1000 as char)`
      return kind === 'number' ? sql`cast(${column} as char)` : column
  }
}
