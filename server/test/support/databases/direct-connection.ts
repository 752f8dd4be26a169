import { DatabaseSync } from 'node:sqlite'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { MetadataBackendConfig } from '../../../src/config/config.ts'
import { whenUnlocked } from './when-unlocked.ts'

/**
 * A connection to the database of running servers. Names of columns are in double quotes for every database.
 */
export interface DirectConnection {
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /**
   * The number of connections to the same database that wait for a lock.
   * @throws on SQLite, which does not report it
   */
  waiting(): Promise<number>
  close(): Promise<void>
}

/** Opens a separate connection. Dates and counts are numbers or texts, as the library returns them. */
export function connectDirectly(config: MetadataBackendConfig): Promise<DirectConnection> {
  switch (config.driver) {
    case 'sqlite3':
      return Promise.resolve(connectToSqlite(config.connectionString))
    case 'postgres':
      return connectToPostgres(config.connectionString)
    case 'mysql':
      return connectToMysql(config.connectionString)
  }
}

function connectToSqlite(path: string): DirectConnection {
  const database = new DatabaseSync(path)
  return {
    query: (sql) => whenUnlocked(() => database.prepare(sql).all()),
    waiting: () => Promise.reject(new Error('SQLite does not report waiting connections')),
    close: () => {
      database.close()
      return Promise.resolve()
    },
  }
}

async function connectToPostgres(connectionString: string): Promise<DirectConnection> {
  const client = new pg.Client({ connectionString })
  // The server may have stopped; the next query reports it.
  client.on('error', () => undefined)
  await client.connect()
  const query = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows
  return {
    query: query,
    waiting: async () => {
      // Within a transaction, PostgreSQL would show the connections of the first query again.
      await query('select pg_stat_clear_snapshot()')
      const rows = await query(`select distinct pid from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`)
      return rows.length
    },
    close: () => client.end(),
  }
}

async function connectToMysql(uri: string): Promise<DirectConnection> {
  const connection = await mysql.createConnection({ uri })
  connection.on('error', () => undefined)
  await connection.query(`set session sql_mode = 'ANSI_QUOTES'`)
  const query = async (sql: string) => {
    const [rows] = await connection.query(sql)
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
  }
  return {
    query: query,
    waiting: async () => {
      // The counter of waits includes those of other databases, and the table of transactions is not updated while it is
      // read often.
      const [row] = await query('show engine innodb status')
      const { pathname } = new URL(uri)
      const wait = new RegExp(`^(?:RECORD|TABLE) LOCK.* [\`"]${pathname.slice(1)}[\`"]\\..* waiting$`, 'gm')
      return String(row?.['Status']).match(wait)?.length ?? 0
    },
    close: () => connection.end(),
  }
}
