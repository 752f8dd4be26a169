import { DatabaseSync } from 'node:sqlite'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { MetadataBackendConfig } from '../../src/config/config.ts'

/**
 * A connection to the database of running servers. Names of columns are in double quotes for every database.
 */
export interface Beside {
  ask(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The number of other connections that wait for a lock. @throws on SQLite, which does not report it */
  blocked(): Promise<number>
  close(): Promise<void>
}

/** Opens a separate connection. Dates and counts are numbers or texts, as the library returns them. */
export function beside(config: MetadataBackendConfig): Promise<Beside> {
  switch (config.driver) {
    case 'sqlite3':
      return Promise.resolve(besideSqlite(config.connectionString))
    case 'postgres':
      return besidePostgres(config.connectionString)
    case 'mysql':
      return besideMysql(config.connectionString)
  }
}

function besideSqlite(path: string): Beside {
  const database = new DatabaseSync(path, { timeout: 5_000 })
  return {
    ask: (sql) => {
      const statement = database.prepare(sql)
      return Promise.resolve(statement.all())
    },
    blocked: () => Promise.reject(new Error('SQLite does not tell who is waiting')),
    close: () => {
      database.close()
      return Promise.resolve()
    },
  }
}

async function besidePostgres(connectionString: string): Promise<Beside> {
  const client = new pg.Client({ connectionString })
  // The server may have stopped; the next query reports it.
  client.on('error', () => undefined)
  await client.connect()
  const ask = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows
  return {
    ask,
    blocked: async () => (await ask('select 1 from pg_locks where not granted')).length,
    close: () => client.end(),
  }
}

async function besideMysql(uri: string): Promise<Beside> {
  const connection = await mysql.createConnection({ uri })
  connection.on('error', () => undefined)
  await connection.query(`set session sql_mode = 'ANSI_QUOTES'`)
  const ask = async (sql: string) => {
    const [rows] = await connection.query(sql)
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
  }
  return {
    ask,
    blocked: async () => {
      // The table of transactions is no help: it is not updated while it is read often.
      const [row] = await ask(`show global status like 'Innodb_row_lock_current_waits'`)
      return Number(row?.['Value'])
    },
    close: () => connection.end(),
  }
}
