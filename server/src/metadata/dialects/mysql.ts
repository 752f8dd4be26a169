import { promisify } from 'node:util'
import {
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  sql,
  type Kysely,
  type QueryExecutorProvider,
  type QueryResult,
} from 'kysely'
import type { Pool as LibraryPool, PoolConnection, QueryError, ResultSetHeader, RowDataPacket } from 'mysql2'
import type { MetadataDialect, NetworkDatabaseOptions } from './dialect.ts'
import { weakSettings, type DurabilitySetting } from './durability.ts'
import type { DatabaseErrorKind } from './errors.ts'
import { isMade } from './mysql-migrations.ts'
import { pooledDriver, type Client, type Pool } from './pooled-driver.ts'

/** Milliseconds. */
const times = { acquire: 10_000, idle: 60_000 }

/**
 * Said once on each connection: waiting for a lock, and standing still in a transaction, are limited, in seconds.
 * MySQL, which has no such limit as the last, takes it for a comment.
 */
const session = ({ idleTransactionTimeout }: NetworkDatabaseOptions) => [
  'set session transaction isolation level read committed',
  `set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', session innodb_lock_wait_timeout = 15
    /*M!100300 , session idle_transaction_timeout = ${String(idleTransactionTimeout / 1000)} */`,
]

/** MariaDB's and MySQL's manuals, chapters on InnoDB's system variables and on the binary log. */
const durabilitySettings: readonly DurabilitySetting[] = [
  {
    name: 'innodb_flush_log_at_trx_commit',
    // MariaDB's 3 syncs twice.
    safe: ['1', '3'],
    cost: 'what was answered in the last second is undone',
  },
  { name: 'innodb_doublewrite', safe: ['on', 'detect_and_recover'], cost: 'the database may be damaged' },
  {
    name: 'sync_binlog',
    safe: ['1'],
    // A recovery undoes what the binary log does not have.
    cost: 'what the binary log has lost is undone',
    onlyWith: ['log_bin', 'on'],
  },
]

/** MySQL and MariaDB, by the library `mysql2`, which is loaded when the database is opened. */
export function mysqlDialect(options: NetworkDatabaseOptions): MetadataDialect {
  return {
    version: 'version()',
    // Not by `now`, whose hours come twice where a summer time ends.
    time: `timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000`,
    statistics: { afterBulk: ['analyze table users, tokens, uploads, files, totals'], routine: [] },
    uploadIndexes: null,
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => pooledDriver(() => openPool(options), options),
    createIntrospector: (db: Kysely<unknown>) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
    traits: async (db) => ({
      partialIndexes: false,
      inlineReferences: false,
      indexesBelongToTables: true,
      tableOrder: 'fixed',
      upsert: 'on duplicate key',
      freePages: 'automatic',
      rowLocks: true,
      textCollation: await textCollation(db),
      caseCollation: null,
    }),
    weakSettings: async (db) => {
      const names = [...durabilitySettings.map(({ name }) => name), 'log_bin']
      const { rows } = await sql<{ Variable_name: string; Value: string }>`
        show global variables where variable_name in (${sql.join(names)})`.execute(db)
      const values = rows.map(({ Variable_name, Value }) => [Variable_name.toLowerCase(), Value] as const)
      return weakSettings(durabilitySettings, new Map(values))
    },
  }
}

/** The binary collation that does not ignore spaces at the end has a name of its own in each product. */
async function textCollation(db: QueryExecutorProvider): Promise<string> {
  const known = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin']
  const { rows } = await sql<{ name: string }>`
    select collation_name as name from information_schema.collations
    where collation_name in (${sql.join(known)})`.execute(db)
  return known.find((one) => rows.some(({ name }) => name === one)) ?? 'utf8mb4_bin'
}

async function openPool(options: NetworkDatabaseOptions): Promise<Pool> {
  const { connectionString, maxConnections } = options
  const { default: mysql } = await import('mysql2')
  const pool = mysql.createPool({
    uri: connectionString.replace(/^mariadb:/, 'mysql:'),
    connectionLimit: maxConnections,
    maxIdle: maxConnections,
    idleTimeout: times.idle,
    connectTimeout: times.acquire,
    charset: 'utf8mb4',
    // Counts the rows that a condition found, whether they changed or not.
    flags: ['+FOUND_ROWS'],
    supportBigNumbers: true,
    typeCast: (field, next) => (field.type === 'LONGLONG' ? exactNumber(field.string()) : next()),
  })
  const prepared = new WeakSet<PoolConnection>()
  return {
    acquire: async () => {
      const connection = await connectionOf(pool)
      const client = clientOf(connection)
      if (prepared.has(connection)) return client
      // What is wrong with a connection is told by the next query on it.
      connection.on('error', () => undefined)
      try {
        for (const statement of session(options)) await client.query(statement, [])
      } catch (error) {
        client.release('destroyed')
        throw error
      }
      prepared.add(connection)
      return client
    },
    kindOf,
    isMade,
    begin: ({ isolationLevel, accessMode = 'read write' }) => [
      ...(isolationLevel === undefined ? [] : [`set transaction isolation level ${isolationLevel}`]),
      `start transaction ${isolationLevel === 'repeatable read' ? 'with consistent snapshot, ' : ''}${accessMode}`,
    ],
    end: () => promisify(pool.end.bind(pool))(),
  }
}

/** @throws when none is free in time; one that comes later goes back */
function connectionOf(pool: LibraryPool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      reject(new Error(`no connection was free within ${String(times.acquire)} ms`))
    }, times.acquire)
    pool.getConnection((error, connection) => {
      clearTimeout(timer)
      if (error !== null) reject(error)
      else if (late) connection.release()
      else resolve(connection)
    })
  })
}

const clientOf = (connection: PoolConnection): Client => ({
  query: (text, values) =>
    new Promise<QueryResult<unknown>>((resolve, reject) => {
      connection.query<ResultSetHeader | RowDataPacket[]>(text, [...values], (error, result) => {
        if (error !== null) reject(error)
        else if (Array.isArray(result)) resolve({ rows: result })
        else resolve({ rows: [], numAffectedRows: BigInt(result.affectedRows) })
      })
    }),
  release(how) {
    if (how === 'kept') connection.release()
    else connection.destroy()
  },
})

/** Deadlock; a row that changed since the snapshot (MariaDB). */
const conflicts: ReadonlySet<number> = new Set([1213, 1020])

/** A full disk; a full table, which is what InnoDB says of a full disk. */
const fulls: ReadonlySet<number> = new Set([1021, 1114])

/**
 * A lock that was not to be had in time; no memory; a statement that an administrator, or a limit
 * (of MariaDB, of MySQL), ended.
 */
const refusals: ReadonlySet<number> = new Set([1205, 1037, 1041, 1317, 1969, 3024])

/**
 * Too many connections (of all, of the user), shutdown, a connection that was ended by somebody else. And a server that
 * was a primary and takes no more writes: a new connection may lead to who is the primary now.
 */
const losses: ReadonlySet<number> = new Set([1040, 1203, 1053, 1077, 1079, 1927, 3169, 1290, 1792, 1836])

function kindOf(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error) || error instanceof InexactNumber) return 'other'
  const { sqlState = '', errno = 0 } = error as Partial<QueryError>
  // Without a state, the error is none that the server told.
  if (sqlState === '') return 'lost'
  if (conflicts.has(errno)) return 'conflict'
  if (fulls.has(errno)) return 'full'
  if (refusals.has(errno)) return 'refused'
  return losses.has(errno) || sqlState.startsWith('08') ? 'lost' : 'other'
}

/** A number that is more than a number of JavaScript can say. */
class InexactNumber extends Error {
  override readonly name = 'InexactNumber'
}

function exactNumber(written: string | null): number | null {
  if (written === null) return null
  const value = Number(written)
  if (!Number.isSafeInteger(value)) throw new InexactNumber(`${written} is too large`)
  return value
}
