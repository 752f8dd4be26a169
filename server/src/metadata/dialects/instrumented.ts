import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely'
import type { MetadataDialect, RunSynchronously } from './dialect.ts'
import { DatabaseError, type DatabaseErrorKind } from './errors.ts'

/** Told what becomes of the questions to a database. */
export interface DatabaseWatcher {
  /** Called as a statement is sent. @returns called when it has been answered, well or not */
  statement(query: CompiledQuery): () => void
  /** What failed in the end, whatever was tried again before. */
  failed(kind: DatabaseErrorKind): void
  /** A connection is wanted, was got, was given back. */
  waiting(change: 1 | -1): void
  inUse(change: 1 | -1): void
}

/** The same database, with somebody who watches what is asked of it. */
export const instrumentedDialect = (dialect: MetadataDialect, watcher: DatabaseWatcher): MetadataDialect => ({
  version: dialect.version,
  time: dialect.time,
  statistics: dialect.statistics,
  uploadIndexes: dialect.uploadIndexes,
  createAdapter: () => dialect.createAdapter(),
  createDriver: () => watchedDriver(dialect.createDriver(), watcher),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  traits: (db) => dialect.traits(db),
  weakSettings: (db) => dialect.weakSettings(db),
  ...(dialect.reader && { reader: watchedReader(dialect.reader, watcher) }),
  ...(dialect.durable && { durable: dialect.durable }),
  ...(dialect.freeSpace && { freeSpace: dialect.freeSpace }),
  ...(dialect.runAtOnce && { runAtOnce: watchedAtOnce(dialect.runAtOnce, watcher) }),
})

const watchedReader = (reader: Dialect, watcher: DatabaseWatcher): Dialect => ({
  createAdapter: () => reader.createAdapter(),
  createDriver: () => watchedDriver(reader.createDriver(), watcher),
  createIntrospector: (db) => reader.createIntrospector(db),
  createQueryCompiler: () => reader.createQueryCompiler(),
})

const kindOf = (error: unknown): DatabaseErrorKind => (error instanceof DatabaseError ? error.kind : 'other')

const watchedAtOnce =
  (run: RunSynchronously, watcher: DatabaseWatcher): RunSynchronously =>
  (query, inTransaction) => {
    const answered = watcher.statement(query)
    try {
      const result = run(query, inTransaction)
      if (result !== undefined) answered()
      return result
    } catch (error) {
      answered()
      watcher.failed(kindOf(error))
      throw error
    }
  }

function watchedDriver(driver: Driver, watcher: DatabaseWatcher): Driver {
  const told = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      watcher.failed(kindOf(error))
      throw error
    }
  }
  return {
    init: () => driver.init(),
    async acquireConnection() {
      watcher.waiting(1)
      try {
        const connection = await told(driver.acquireConnection())
        watcher.inUse(1)
        return watchedConnection(connection, told, watcher)
      } finally {
        watcher.waiting(-1)
      }
    },
    beginTransaction: (connection, settings) => told(driver.beginTransaction(connection, settings)),
    commitTransaction: (connection) => told(driver.commitTransaction(connection)),
    rollbackTransaction: (connection) => told(driver.rollbackTransaction(connection)),
    releaseConnection(connection) {
      watcher.inUse(-1)
      return driver.releaseConnection(connection)
    },
    destroy: () => driver.destroy(),
  }
}

/** Our drivers' connections are plain objects, so that a copy is as good as what it was made from. */
const watchedConnection = (
  connection: DatabaseConnection,
  told: <Result>(work: Promise<Result>) => Promise<Result>,
  watcher: DatabaseWatcher,
): DatabaseConnection => ({
  ...connection,
  async executeQuery<Row>(query: CompiledQuery) {
    const answered = watcher.statement(query)
    try {
      return await told(connection.executeQuery<Row>(query))
    } finally {
      answered()
    }
  },
})
