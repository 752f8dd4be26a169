import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import type { MetadataBackendConfig } from '../../../src/config/config.ts'
import { openDialect } from '../../../src/metadata/open-dialect.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

/** Columns and their types, as Plik 1.4 makes them. */
const tables = {
  migrations: { id: 'key' },
  users: {
    id: 'key',
    provider: 'text',
    login: 'text',
    password: 'text',
    name: 'text',
    email: 'text',
    theme: 'text',
    language: 'text',
    is_admin: 'flag',
    max_file_size: 'number',
    max_user_size: 'number',
    max_ttl: 'number',
    created_at: 'time',
  },
  tokens: { token: 'key', comment: 'text', user_id: 'text', created_at: 'time' },
  uploads: {
    id: 'key',
    ttl: 'number',
    extend_ttl: 'flag',
    remote_ip: 'text',
    comments: 'text',
    e2ee: 'text',
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
  files: {
    id: 'key',
    upload_id: 'text',
    name: 'text',
    status: 'text',
    md5: 'text',
    type: 'text',
    size: 'number',
    is_text: 'flag',
    reference: 'text',
    backend_details: 'text',
    created_at: 'time',
  },
} as const

const types = {
  sqlite3: { key: 'text primary key', text: 'text', number: 'integer', flag: 'numeric', time: 'datetime' },
  postgres: { key: 'text primary key', text: 'text', number: 'bigint', flag: 'boolean', time: 'timestamptz' },
  mysql: {
    key: 'varchar(256) primary key',
    text: 'varchar(256)',
    number: 'bigint',
    flag: 'tinyint(1)',
    time: 'datetime(3)',
  },
} as const

type Table = keyof typeof tables
export type Rows = Record<string, string | number | boolean | null>

const migrations = [
  'SCHEMA_INIT',
  '0001-initial',
  '0002-user-limits',
  '0003-extend-ttl',
  '0004-max-user-size',
  '0005-cli-auth-sessions',
  '0006-user-profile-picture',
  '0007-upload-e2ee',
  '0008-user-theme',
  '0009-file-is-text',
  '0010-user-language',
]

/** A time of all rows, in the past of every clock of the tests. */
export const created = '2025-11-23 04:55:24.947'
const later = '2125-11-23 04:55:24.947'

export const never = null
export const expired = '2025-11-24 04:55:24.947'

/** An installation of Plik in a directory. */
export interface PlikFixture {
  readonly directory: string
  /** Path of its configuration file. */
  readonly configuration: string
  /** Directory of its files. */
  readonly files: string
  readonly insert: (table: Table, row: Rows) => Promise<void>
  /** Runs a statement. */
  readonly run: (statement: string) => Promise<void>
  /** Adds an upload with the contents of its files by their names. */
  readonly upload: (
    id: string,
    options?: Rows,
    contents?: Readonly<Record<string, string>>,
  ) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/**
 * Makes an installation without data.
 * @param database an empty one; a file of SQLite by default
 */
export async function newPlik(database?: MetadataBackendConfig): Promise<PlikFixture> {
  const directory = await temporaryDirectory()
  const files = join(directory, 'files')
  await mkdir(files)
  const databaseConfig = database ?? {
    driver: 'sqlite3' as const,
    connectionString: join(directory, 'plik.db'),
    fsync: false,
  }
  const { driver } = databaseConfig
  const db = new Kysely<Record<Table, Rows>>({
    dialect: await openDialect(databaseConfig, 'bulk', () => undefined),
  })
  const run = async (statement: string) => {
    await sql.raw(statement).execute(db)
  }
  for (const [table, columns] of Object.entries(tables)) {
    const written = Object.entries(columns).map(
      ([name, type]) => sql`${sql.ref(name)} ${sql.raw(types[driver][type])}`,
    )
    await sql`create table ${sql.table(table)} (${sql.join(written)})`.execute(db)
  }
  const insert = async (table: Table, row: Rows) => {
    const columns = tables[table] as Readonly<Record<string, keyof (typeof types)['sqlite3']>>
    const stored = Object.entries(row).map(([name, value]) => [
      name,
      asStored(driver, columns[name] ?? 'text', value),
    ])
    await db
      .insertInto(table)
      .values(Object.fromEntries(stored) as Rows)
      .execute()
  }
  for (const id of migrations) await insert('migrations', { id })
  const configuration = join(directory, 'plikd.cfg')
  const connection = driver === 'sqlite3' ? 'plik.db' : databaseConfig.connectionString
  await writeFile(
    configuration,
    `DataBackend = "file"
[DataBackendConfig]
Directory = "files"
[MetadataBackendConfig]
Driver = "${driver}"
ConnectionString = "${connection}"
`,
  )
  const addFile = async (uploadId: string, number: number, [name, content]: readonly [string, string]) => {
    const id = `${uploadId.slice(0, 14)}${String(number).padStart(2, '0')}`
    await mkdir(join(files, id.slice(0, 2)), { recursive: true })
    await writeFile(join(files, id.slice(0, 2), id), content)
    await insert('files', {
      ...fileRow,
      id,
      upload_id: uploadId,
      name,
      md5: md5(content),
      size: Buffer.byteLength(content),
    })
    return id
  }
  return {
    directory,
    configuration,
    files,
    insert,
    run,
    async upload(id, options = {}, contents = {}) {
      await insert('uploads', { ...uploadRow, id, upload_token: uploadToken(id), ...options })
      const ids: string[] = []
      for (const [number, entry] of Object.entries(contents).entries())
        ids.push(await addFile(id, number, entry))
      return ids
    },
    close: () => db.destroy(),
  }
}

export const md5 = (content: string): string => createHash('md5').update(content).digest('hex')

function asStored(driver: MetadataBackendConfig['driver'], type: string, value: Rows[string]): Rows[string] {
  if (value === null) return null
  if (type === 'flag') return driver === 'postgres' ? value === 1 : value
  // Go's driver of SQLite writes nanoseconds and the zone.
  return type === 'time' && driver !== 'mysql'
    ? `${String(value)}301093+00:00`.slice(0, driver === 'postgres' ? 23 : 40)
    : value
}

/** The upload token of an upload of a fixture. */
export const uploadToken = (id: string): string => `token-of-${id}`.padEnd(32, 'x')

const uploadRow: Rows = {
  ttl: 3_153_600_000,
  extend_ttl: 0,
  remote_ip: '192.0.2.7',
  comments: '',
  e2ee: '',
  user: '',
  token: '',
  stream: 0,
  one_shot: 0,
  removable: 0,
  protected_by_password: 0,
  login: '',
  password: '',
  created_at: created,
  deleted_at: null,
  expire_at: later,
}

export const fileRow: Rows = {
  status: 'uploaded',
  md5: '',
  type: 'text/plain; charset=utf-8',
  size: 0,
  is_text: 1,
  reference: '',
  backend_details: '',
  created_at: created,
}

export const userRow: Rows = {
  provider: 'local',
  password: '',
  name: '',
  email: '',
  theme: '',
  language: '',
  is_admin: 0,
  max_file_size: 0,
  max_user_size: 0,
  max_ttl: 0,
  created_at: created,
}
