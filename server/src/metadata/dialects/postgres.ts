import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type Kysely,
  type QueryExecutorProvider,
  type QueryResult,
} from 'kysely'
import type { PoolClient } from 'pg'
import type { MetadataDialect, NetworkDatabaseOptions } from './dialect.ts'
import { weakSettings, type DurabilitySetting } from './durability.ts'
import { NoFreeConnection, type DatabaseErrorKind } from './errors.ts'
import { pooledDriver, type Client, type Pool } from './pooled-driver.ts'

/** Milliseconds. */
const times = { idle: 60_000, lock: 15_000 }

/** As in the manual of PostgreSQL, chapters "Write Ahead Log" and "Asynchronous Commit". */
const durabilitySettings: readonly DurabilitySetting[] = [
  { name: 'fsync', safe: ['on'], cost: 'the whole database may be lost' },
  { name: 'full_page_writes', safe: ['on'], cost: 'the whole database may be damaged' },
  {
    name: 'synchronous_commit',
    safe: ['on', 'local', 'remote_write', 'remote_apply'],
    cost: 'commits of the last second are undone',
  },
]

const tables = 'users, tokens, uploads, files, totals'

/** PostgreSQL with the library `pg`, which is loaded when the database is opened. */
export function postgresDialect(options: NetworkDatabaseOptions): MetadataDialect {
  return {
    version: `'PostgreSQL ' || current_setting('server_version')`,
    time: 'floor(extract(epoch from clock_timestamp()) * 1000)',
    statistics: {
      duringBulk: [`analyze ${tables}`],
      // Until a vacuum, index-only scans read the table for each row. Autovacuum would come within minutes.
      afterBulk: [`vacuum (analyze) ${tables}`],
      routine: [],
    },
    // The import has checked what the foreign keys check.
    bulkRemovals: `
      select format('drop index %I', indexname) as removal, indexdef as definition from pg_indexes
      where schemaname = current_schema() and tablename = 'uploads'
      and indexname not in (select conname from pg_constraint)
      union all
      select format('alter table %s drop constraint %I', conrelid::regclass, conname),
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint
      where contype = 'f' and conrelid in ('uploads'::regclass, 'files'::regclass)`,
    // PostgreSQL takes four times as long to plan an insertion with thousands of parameters as to insert its rows.
    jsonRows: 'json_populate_recordset',
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => pooledDriver(() => openPool(options), options),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    capabilities: async (db) => ({
      partialIndexes: true,
      inlineReferences: true,
      indexesBelongToTables: false,
      tableOrder: 'fixed',
      upsert: 'on conflict',
      freePages: 'reused',
      checkpoints: 'automatic',
      rowLocks: true,
      lateralJoins: true,
      indexHints: false,
      bytesType: 'bytea',
      textCollation: '"C"',
      caseCollation: await caseCollation(db),
    }),
    refusesWrites: async (db) => {
      const { rows } = await sql<{ isStandby: boolean; isReadOnly: string }>`
        select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') as "isReadOnly"`.execute(
        db,
      )
      if (rows[0]?.isStandby === true) return 'it is a standby (pg_is_in_recovery)'
      return rows[0]?.isReadOnly === 'on' ? 'it is read-only (default_transaction_read_only)' : null
    },
    weakSettings: async (db) => {
      const { rows } = await sql<{ name: string; setting: string }>`
        select name, setting from pg_settings
        where name in (${sql.join(durabilitySettings.map(({ name }) => name))})`.execute(db)
      return weakSettings(durabilitySettings, new Map(rows.map(({ name, setting }) => [name, setting])))
    },
  }
}

/** A Unicode collation if the server has one, otherwise that of the database. */
async function caseCollation(db: QueryExecutorProvider): Promise<string> {
  const known = ['und-x-icu', 'pg_c_utf8']
  const { rows } = await sql<{ collname: string }>`
    select collname from pg_collation where collname in (${sql.join(known)})`.execute(db)
  const name = known.find((collation) => rows.some(({ collname }) => collname === collation)) ?? 'default'
  return `pg_catalog."${name}"`
}

/** With this error of its queue, the library reports that no connection was free; that of a connection in the making differs. */
const noFreeConnection = 'timeout exceeded when trying to connect'

async function openPool(options: NetworkDatabaseOptions): Promise<Pool> {
  const { connectionString, maxConnections, idleTransactionTimeout, acquireTimeout } = options
  const { default: pg } = await import('pg')
  type TypeId = Parameters<typeof pg.types.getTypeParser>[0]
  const int8 = pg.types.builtins.INT8
  const pool = new pg.Pool({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: acquireTimeout,
    idleTimeoutMillis: times.idle,
    keepAlive: true,
    application_name: 'svcd',
    lock_timeout: times.lock,
    idle_in_transaction_session_timeout: idleTransactionTimeout,
    types: {
      getTypeParser: ((type: TypeId, format: 'text') =>
        type === int8 ? exactNumber : (pg.types.getTypeParser(type, format) as unknown)) as never,
    },
  })
  // The pool has already removed the idle connection that was lost.
  pool.on('error', () => undefined)
  return {
    async acquire() {
      try {
        return clientOf(await pool.connect())
      } catch (error) {
        throw error instanceof Error && error.message === noFreeConnection
          ? new NoFreeConnection(options)
          : error
      }
    },
    kindOf: (error) => {
      if (!(error instanceof Error) || error instanceof InexactNumber) return 'other'
      return error instanceof pg.DatabaseError ? kindOfState(error.code ?? '') : 'lost'
    },
    // Without an access mode, the server's default applies: operators set it to read-only when a disk is full.
    begin: ({ isolationLevel = 'read committed', accessMode = '' }) => [
      `start transaction isolation level ${isolationLevel} ${accessMode}`,
    ],
    end: () => pool.end(),
  }
}

function clientOf(client: PoolClient): Client {
  const ignore = () => undefined
  // The next query on a failed connection reports the error.
  client.on('error', ignore)
  return {
    async query(text, values): Promise<QueryResult<unknown>> {
      const { command, rowCount, rows } = await client.query<Record<string, unknown>>(text, [...values])
      return command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
        ? { rows, numAffectedRows: BigInt(rowCount ?? 0) }
        : { rows }
    },
    release(how) {
      client.off('error', ignore)
      client.release(how === 'destroyed')
    },
  }
}

const tooManyConnections = '53300'
const diskFull = '53100'
const readOnlyTransaction = '25006'

/** Conditions by their codes (PostgreSQL, appendix A). */
function kindOfState(state: string): DatabaseErrorKind {
  // Serialization failure, deadlock.
  if (state.startsWith('40')) return 'conflict'
  if (state === diskFull) return 'full'
  // Lock timeout; a statement that an administrator or a time limit ended; out of memory.
  if (state === '55P03' || state === '57014' || (state.startsWith('53') && state !== tooManyConnections))
    return 'refused'
  if (state === readOnlyTransaction) return 'read-only'
  // Connection exceptions, too many connections, an idle transaction that timed out, shutdown and start of the server.
  if (
    state.startsWith('08') ||
    state === tooManyConnections ||
    state === '25P03' ||
    /^57P0[1-5]$/.test(state)
  )
    return 'lost'
  return 'other'
}

/** A number beyond the safe integers of JavaScript. */
class InexactNumber extends Error {
  override readonly name = 'InexactNumber'
}

function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new InexactNumber(`${text} is too large`)
  return value
}
