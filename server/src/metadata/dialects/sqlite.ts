import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely'

const pragmas = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  pragma foreign_keys = on;
  pragma temp_store = memory;
  pragma cache_size = -16000;
`

/** @param path of the database file, or `:memory:` */
export function sqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => sqliteDriver(path),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** SQLite can roll back changes of a schema; told so, Kysely runs all migrations in one transaction. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** One connection over `node:sqlite`; Kysely hands it to one query or transaction after the other. */
function sqliteDriver(path: string): Driver {
  let database: DatabaseSync | undefined
  let connection: DatabaseConnection | undefined
  const run = (sql: string) => async (on: DatabaseConnection) => {
    await on.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    async init() {
      if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
      // Waiting for another process's write is ours: SQLite's own waiting would stop the event loop.
      const opened = new DatabaseSync(path, { timeout: 0 })
      database = opened
      connection = connectionTo(opened)
      await patiently(() => {
        opened.exec(pragmas)
      })
    },
    acquireConnection: () =>
      connection === undefined
        ? Promise.reject(new Error('the database is not open'))
        : Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
    // With the write lock from the start, a transaction that first reads cannot fail as it turns to writing.
    beginTransaction: run('begin immediate'),
    commitTransaction: run('commit'),
    rollbackTransaction: run('rollback'),
    destroy: () => {
      database?.close()
      return Promise.resolve()
    },
  }
}

/** Statements are cached by their text: the queries are few and preparing costs more than running. */
function connectionTo(database: DatabaseSync): DatabaseConnection {
  const statements = new Map<string, { readonly statement: StatementSync; readonly reads: boolean }>()
  const prepare = (sql: string) => {
    const statement = database.prepare(sql)
    const prepared = { statement, reads: statement.columns().length > 0 }
    statements.set(sql, prepared)
    return prepared
  }
  return {
    executeQuery: <Row>({ sql, parameters }: CompiledQuery) =>
      patiently((): QueryResult<Row> => {
        const { statement, reads } = statements.get(sql) ?? prepare(sql)
        const values = parameters as readonly SQLInputValue[]
        if (reads) return { rows: statement.all(...values) as Row[] }
        return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
      }),
    // eslint-disable-next-line require-yield -- the interface wants a generator; nothing here streams rows
    async *streamQuery() {
      await Promise.reject(new Error('rows are not streamed from SQLite'))
    },
  }
}

const busyCode = 5
const retryMs = 5
const patienceMs = 10_000

/** Does something as soon as no other process is writing. */
async function patiently<Result>(work: () => Result): Promise<Result> {
  for (let waited = 0; ; waited += retryMs) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || waited >= patienceMs) throw error
    }
    await wait(retryMs)
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === busyCode
