import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { migrationsFor } from '../../src/metadata/migrations/index.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import type { Schema } from '../../src/metadata/query/schema.ts'
import { connectDirectly, type DirectConnection } from '../support/databases/direct-connection.ts'
import {
  describeOn,
  newDatabase,
  startOwnServer,
  type DatabaseServer,
} from '../support/databases/network-databases.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { until } from '../support/until.ts'

const rows = 50_000
const kills = 4

/** The migrations behind this one change, copy or count each of the rows. */
const before = '0009-mass-removal'

const numbers = `with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${String(rows)})`
const uploadId = 'cast(1000000000000000 + i as varchar(16))'
const fileId = 'cast(2000000000000000 + i as varchar(16))'

const filling = [
  `insert into users ("id", "provider", "login", "name", "email", "admin", "maxFileSize", "maxUserSize", "maxTTL",
    "theme", "language", "usedSize", "createdAt") values ('local:bob', 'local', 'bob', '', '', 0, 0, 0, 0, '', '', 0, 1)`,
  `insert into tokens ("token", "userId", "comment", "createdAt")
    ${numbers} select 'token-' || i, 'local:bob', '', i from numbers where i <= 50`,
  `insert into uploads ("id", "tokenHash", "ttl", "extendTtl", "oneShot", "removable", "stream", "comments", "e2ee",
    "address", "fileCount", "createdAt", "deletedAt", "userId", "userToken", "size", "options")
    ${numbers} select ${uploadId}, 'h', 1, 0, 0, 0, 0, 'A comment of this upload.', '', '192.0.2.7', 1, i,
      case when i % 10 = 0 then i end, 'local:bob', 'token-' || (i % 50 + 1), 7, 0 from numbers`,
  `insert into files ("id", "uploadId", "position", "fileName", "fileSize", "type", "md5", "crc32", "status", "createdAt",
    "brokenDownloads", "reserved")
    ${numbers} select ${fileId}, ${uploadId}, 0, 'file.txt', 7, 't', 'm', 9,
      case when i % 10 = 0 then 'removed' when i % 10 = 1 then 'uploading' else 'uploaded' end, i, 0, 0 from numbers`,
  `insert into resumables ("fileId", "size", "received", "session", "type", "expireAt")
    ${numbers} select ${fileId}, 7, 5, 's', 't', 9 from numbers where i % 10 = 1`,
]

interface Kind {
  /** Bytes that a migration has written so far. */
  readonly written: (database: DirectConnection, path: string) => Promise<number>
  /** Tables with their columns and indexes. */
  readonly schema: string
}

const kinds = {
  sqlite3: {
    written: (_database, path) =>
      Promise.resolve(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0),
    schema: 'select type, name, sql from sqlite_master',
  },
  postgres: {
    async written(database) {
      const [row] = await database.query(`select pg_current_wal_insert_lsn() - '0/0' as bytes`)
      return Number(row?.['bytes'])
    },
    schema: `select tablename, indexdef from pg_indexes where schemaname = 'public' union all
      select table_name, concat_ws(' ', column_name, data_type, is_nullable, column_default)
      from information_schema.columns where table_schema = 'public'`,
  },
} as const satisfies Record<string, Kind>

let directory: string
beforeEach(async () => {
  directory = await temporaryDirectory()
})

/** Creates a database as an earlier version left it. */
async function fillEarlier(config: MetadataBackendConfig): Promise<DirectConnection> {
  const dialect = await openDialect(config, 'service', () => undefined)
  const db = new Kysely<Schema>({ dialect })
  const migrations = migrationsFor(await dialect.capabilities(db))
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const { error } = await migrator.migrateTo(before)
  await db.destroy()
  if (error !== undefined) throw new Error('the migration failed', { cause: error })
  const database = await connectDirectly(config)
  for (const statement of filling) await database.query(statement)
  return database
}

/** Starts a process that migrates a database, as the start of a server does. */
function beginUpdate(config: MetadataBackendConfig) {
  const program = join(import.meta.dirname, 'migrate.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(config)])
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([status, signal]) => ({
    status: status as number | null,
    signal: signal as NodeJS.Signals | null,
    stderr,
  }))
  return { child, ended }
}

/** The number of rows of each table, and a hash of them, with the schema as another. */
async function contentOf(database: DirectConnection, { schema }: Kind): Promise<readonly unknown[]> {
  const tables = ['uploads', 'files', 'resumables', 'tokens', 'users', 'totals', 'removals', 'budgets']
  const queries = [
    ...tables.map((table) => `select * from ${table}`),
    'select name from kysely_migration',
    schema,
  ]
  const contents: unknown[] = []
  for (const query of queries) {
    const found = (await database.query(query)).map((row) => JSON.stringify(row)).sort()
    contents.push([query, found.length, hash('md5', found.join('\n'))])
  }
  return contents
}

/**
 * Updates a database with a process that is killed once it has written some bytes.
 * @returns the bytes it wrote
 */
async function update(
  config: MetadataBackendConfig,
  {
    database,
    kind,
    killAt,
  }: { readonly database: DirectConnection; readonly kind: Kind; readonly killAt: number },
) {
  const written = () => kind.written(database, config.connectionString)
  const begun = await written()
  const { child, ended } = beginUpdate(config)
  let isOver = false
  void ended.then(() => (isOver = true))
  let bytes = 0
  await until('the update is over', async () => {
    bytes = Math.max(bytes, (await written()) - begun)
    if (bytes >= killAt) child.kill('SIGKILL')
    return isOver
  })
  return { bytes, ...(await ended) }
}

/** @param bytes number of bytes that an undisturbed update writes */
async function killOften(kind: Kind, bytes: number, newConfig: () => Promise<MetadataBackendConfig>) {
  const config = await newConfig()
  const database = await fillEarlier(config)
  const moments = Array.from({ length: kills }, () => Math.floor(Math.random() * bytes * 0.9))
  let isUndisturbed = true
  for (const killAt of moments) {
    const { signal } = await update(config, { database, kind, killAt })
    if (signal === 'SIGKILL') isUndisturbed = false
  }
  return { config, database, moments, isUndisturbed }
}

function testKills(kind: Kind, newConfig: () => Promise<MetadataBackendConfig>): void {
  test('again and again is done by the next start, with the data of an undisturbed one', async () => {
    const undisturbed = await newConfig()
    const expected = await fillEarlier(undisturbed)
    const { bytes, status, stderr } = await update(undisturbed, {
      database: expected,
      kind,
      killAt: Infinity,
    })
    expect([status, stderr]).toEqual([0, ''])

    // On a busy machine, an update can end before it is killed: another database then.
    let attempt = await killOften(kind, bytes, newConfig)
    while (attempt.isUndisturbed) {
      await attempt.database.close()
      attempt = await killOften(kind, bytes, newConfig)
    }
    const { config, database, moments } = attempt
    const last = await beginUpdate(config).ended
    expect([moments, last.status, last.stderr]).toEqual([moments, 0, ''])
    expect([moments, await contentOf(database, kind)]).toEqual([moments, await contentOf(expected, kind)])
    await database.close()
    await expected.close()
  })
}

describe('a migration of many rows that is killed (sqlite3)', () => {
  let made = 0
  testKills(kinds.sqlite3, () =>
    Promise.resolve({
      driver: 'sqlite3',
      connectionString: join(directory, `${String((made += 1))}.db`),
      fsync: false,
    }),
  )
})

describeOn('postgres', 'a migration of many rows that is killed', () => {
  let server: DatabaseServer
  beforeAll(async () => {
    server = await startOwnServer('postgres')
  })
  afterAll(() => server.remove())
  testKills(kinds.postgres, () => newDatabase('postgres', server))
})
