import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type Kysely,
  type SqliteDatabase,
} from 'kysely'

/** How long a statement waits for another process that is writing, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

const pragmas = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  pragma foreign_keys = on;
  pragma temp_store = memory;
  pragma cache_size = -16000;
`

/**
 * What Kysely's SQLite driver asks of a database, over `node:sqlite`.
 * Statements are cached by their text: the queries are few and preparing costs more than running.
 */
function sqliteDatabase(path: string): SqliteDatabase {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  database.exec(pragmas)
  const statements = new Map<string, ReturnType<typeof statement>>()
  return {
    close: () => {
      database.close()
    },
    prepare: (sql) => {
      let known = statements.get(sql)
      if (known === undefined) statements.set(sql, (known = statement(database.prepare(immediate(sql)))))
      return known
    },
  }
}

/** A transaction takes the write lock when it begins: one that first reads can then not fail as it turns to writing. */
const immediate = (sql: string): string => (sql === 'begin' ? 'begin immediate' : sql)

function statement(prepared: StatementSync) {
  const parameters = (given: readonly unknown[]) => given as readonly SQLInputValue[]
  return {
    reader: prepared.columns().length > 0,
    all: (given: readonly unknown[]) => prepared.all(...parameters(given)),
    run: (given: readonly unknown[]) => prepared.run(...parameters(given)),
    iterate: (given: readonly unknown[]) => prepared.iterate(...parameters(given)),
  }
}

/** SQLite can roll back changes of a schema; told so, Kysely runs all migrations in one transaction. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** @param path of the database file, or `:memory:` */
export function sqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteDriver({ database: () => Promise.resolve(sqliteDatabase(path)) }),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
