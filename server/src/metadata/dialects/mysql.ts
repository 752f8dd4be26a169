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
import { DatabaseError, NoFreeConnection, type DatabaseErrorKind } from './errors.ts'
import { isAlreadyApplied } from './mysql-migrations.ts'
import { pooledDriver, type Client, type Pool } from './pooled-driver.ts'

/** Milliseconds. */
const idleTimeout = 60_000

/**
 * Statements that are run once on each connection. The time limits of locks and of idle transactions are in seconds. MySQL
 * has no limit of idle transactions, and treats it as a comment.
 */
const sessionSettings = ({ idleTransactionTimeout }: NetworkDatabaseOptions) => [
  'set session transaction isolation level read committed',
  `set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', session innodb_lock_wait_timeout = 15
    /*M!100300 , session idle_transaction_timeout = ${String(idleTransactionTimeout / 1000)} */`,
]

/** As in the manuals of MariaDB and MySQL, in the chapters on InnoDB's system variables and on the binary log. */
const durabilitySettings: readonly DurabilitySetting[] = [
  {
    name: 'innodb_flush_log_at_trx_commit',
    // MariaDB's 3 syncs twice.
    safe: ['1', '3'],
    cost: 'commits of the last second are undone',
  },
  { name: 'innodb_doublewrite', safe: ['on', 'detect_and_recover'], cost: 'the database may be damaged' },
  {
    name: 'sync_binlog',
    safe: ['1'],
    // Recovery rolls back transactions that are not in the binary log.
    cost: 'transactions that the binary log has lost are undone',
    onlyWith: ['log_bin', 'on'],
  },
]

/** MySQL and MariaDB with the library `mysql2`, which is loaded when the database is opened. */
export function mysqlDialect(options: NetworkDatabaseOptions): MetadataDialect {
  return {
    version: 'version()',
    // Not `now()`, whose local time repeats an hour when daylight saving time ends.
    time: `timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000`,
    statistics: {
      // The statement would end the transaction. InnoDB updates its statistics by itself.
      duringBulk: [],
      afterBulk: ['analyze table users, tokens, uploads, files, totals'],
      routine: [],
    },
    bulkRemovals: null,
    jsonRows: null,
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => pooledDriver(() => openPool(options), options),
    createIntrospector: (db: Kysely<unknown>) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
    capabilities: async (db) => ({
      partialIndexes: false,
      inlineReferences: false,
      indexesBelongToTables: true,
      tableOrder: 'fixed',
      upsert: 'on duplicate key',
      freePages: 'reused',
      checkpoints: 'automatic',
      rowLocks: true,
      lateralJoins: false,
      indexHints: true,
      bytesType: 'blob',
      textCollation: await textCollation(db),
      caseCollation: null,
    }),
    // Administrators may write nevertheless, so a transaction without statements is tried.
    refusesWrites: async (db) => {
      try {
        await db
          .transaction()
          .setAccessMode('read write')
          .execute(() => Promise.resolve())
        return null
      } catch (error) {
        if (error instanceof DatabaseError && error.kind === 'read-only') return 'it is read-only (read_only)'
        throw error
      }
    },
    weakSettings: async (db) => {
      const names = [...durabilitySettings.map(({ name }) => name), 'log_bin']
      const { rows } = await sql<{ Variable_name: string; Value: string }>`
        show global variables where variable_name in (${sql.join(names)})`.execute(db)
      const values = rows.map(({ Variable_name, Value }) => [Variable_name.toLowerCase(), Value] as const)
      return weakSettings(durabilitySettings, new Map(values))
    },
  }
}

/** The binary collation that respects trailing spaces, whose name differs between MariaDB and MySQL. */
async function textCollation(db: QueryExecutorProvider): Promise<string> {
  const known = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin']
  const { rows } = await sql<{ name: string }>`
    select collation_name as name from information_schema.collations
    where collation_name in (${sql.join(known)})`.execute(db)
  return known.find((collation) => rows.some(({ name }) => name === collation)) ?? 'utf8mb4_bin'
}

async function openPool(options: NetworkDatabaseOptions): Promise<Pool> {
  const { connectionString, maxConnections } = options
  const { default: mysql } = await import('mysql2')
  const pool = mysql.createPool({
    uri: connectionString.replace(/^mariadb:/, 'mysql:'),
    connectionLimit: maxConnections,
    maxIdle: maxConnections,
    idleTimeout,
    connectTimeout: options.acquireTimeout,
    charset: 'utf8mb4',
    // Counts the rows that match the condition, even if their values do not change.
    flags: ['+FOUND_ROWS'],
    supportBigNumbers: true,
    typeCast: (field, next) => (field.type === 'LONGLONG' ? exactNumber(field.string()) : next()),
  })
  const prepared = new WeakSet<PoolConnection>()
  return {
    acquire: async () => {
      const connection = await connectionOf(pool, options)
      const client = clientOf(connection)
      if (prepared.has(connection)) return client
      // The next query on a failed connection reports the error.
      connection.on('error', () => undefined)
      try {
        for (const statement of sessionSettings(options)) await client.query(statement, [])
      } catch (error) {
        client.release('destroyed')
        throw error
      }
      prepared.add(connection)
      return client
    },
    kindOf,
    isAlreadyApplied,
    begin: ({ isolationLevel, accessMode = 'read write' }) => [
      ...(isolationLevel === undefined ? [] : [`set transaction isolation level ${isolationLevel}`]),
      `start transaction ${isolationLevel === 'repeatable read' ? 'with consistent snapshot, ' : ''}${accessMode}`,
    ],
    end: () => promisify(pool.end.bind(pool))(),
  }
}

/** @throws NoFreeConnection; a connection that arrives later is released */
function connectionOf(pool: LibraryPool, options: NetworkDatabaseOptions): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      reject(new NoFreeConnection(options))
    }, options.acquireTimeout)
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

/** A full disk; a full table, which is InnoDB's error for a full disk. */
const fullErrors: ReadonlySet<number> = new Set([1021, 1114])

/**
 * Lock wait timeout; out of memory; a statement that an administrator or a time limit ended (MariaDB, MySQL).
 */
const refusals: ReadonlySet<number> = new Set([1205, 1037, 1041, 1317, 1969, 3024])

/** Read-only: an option of the server, the transaction, the server. */
const readOnlyErrors: ReadonlySet<number> = new Set([1290, 1792, 1836])

/** Too many connections (in total, of the user), shutdown, a connection that was killed. */
const losses: ReadonlySet<number> = new Set([1040, 1203, 1053, 1077, 1079, 1927, 3169])

function kindOf(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error) || error instanceof InexactNumber) return 'other'
  const { sqlState = '', errno = 0 } = error as Partial<QueryError>
  // An error of the server has a state.
  if (sqlState === '') return 'lost'
  if (conflicts.has(errno)) return 'conflict'
  if (fullErrors.has(errno)) return 'full'
  if (readOnlyErrors.has(errno)) return 'read-only'
  if (refusals.has(errno)) return 'refused'
  return losses.has(errno) || sqlState.startsWith('08') ? 'lost' : 'other'
}

/** A number beyond the safe integers of JavaScript. */
class InexactNumber extends Error {
  override readonly name = 'InexactNumber'
}

function exactNumber(text: string | null): number | null {
  if (text === null) return null
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new InexactNumber(`${text} is too large`)
  return value
}
