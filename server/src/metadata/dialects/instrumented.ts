import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely'
import type { MetadataDialect, RunSynchronously } from './dialect.ts'
import { DatabaseError, type DatabaseErrorKind } from './errors.ts'

/** Observes the statements and connections of a database, for metrics. */
export interface DatabaseObserver {
  /**
   * Called when a statement is sent.
   * @returns a function to call when the statement has succeeded or failed
   */
  statement(query: CompiledQuery): () => void
  /** Called when an operation has failed after its retries. */
  failed(kind: DatabaseErrorKind): void
  /** The number of callers that wait for a connection changes. */
  waiting(change: 1 | -1): void
  /** The number of connections in use changes. */
  inUse(change: 1 | -1): void
}

/** The same database, whose statements and connections are reported to an observer. */
export const instrumentedDialect = (
  dialect: MetadataDialect,
  observer: DatabaseObserver,
): MetadataDialect => ({
  version: dialect.version,
  time: dialect.time,
  statistics: dialect.statistics,
  bulkRemovals: dialect.bulkRemovals,
  jsonRows: dialect.jsonRows,
  createAdapter: () => dialect.createAdapter(),
  createDriver: () => observedDriver(dialect.createDriver(), observer),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  capabilities: (db) => dialect.capabilities(db),
  refusesWrites: (db) => dialect.refusesWrites(db),
  weakSettings: (db) => dialect.weakSettings(db),
  ...(dialect.lists && { lists: observedConnections(dialect.lists, observer) }),
  ...(dialect.background && { background: observedConnections(dialect.background, observer) }),
  ...(dialect.syncCommits && { syncCommits: dialect.syncCommits }),
  ...(dialect.freeSpace && { freeSpace: dialect.freeSpace }),
  ...(dialect.runSynchronously && { runSynchronously: observedRunner(dialect.runSynchronously, observer) }),
})

const observedConnections = (dialect: Dialect, observer: DatabaseObserver): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createDriver: () => observedDriver(dialect.createDriver(), observer),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
})

const kindOf = (error: unknown): DatabaseErrorKind => (error instanceof DatabaseError ? error.kind : 'other')

const observedRunner =
  (run: RunSynchronously, observer: DatabaseObserver): RunSynchronously =>
  (query, inTransaction) => {
    const ended = observer.statement(query)
    try {
      const result = run(query, inTransaction)
      if (result !== undefined) ended()
      return result
    } catch (error) {
      ended()
      observer.failed(kindOf(error))
      throw error
    }
  }

function observedDriver(driver: Driver, observer: DatabaseObserver): Driver {
  const reportErrors = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      observer.failed(kindOf(error))
      throw error
    }
  }
  return {
    init: () => driver.init(),
    async acquireConnection() {
      observer.waiting(1)
      try {
        const connection = await reportErrors(driver.acquireConnection())
        observer.inUse(1)
        return observedConnection(connection, reportErrors, observer)
      } finally {
        observer.waiting(-1)
      }
    },
    beginTransaction: (connection, settings) => reportErrors(driver.beginTransaction(connection, settings)),
    commitTransaction: (connection) => reportErrors(driver.commitTransaction(connection)),
    rollbackTransaction: (connection) => reportErrors(driver.rollbackTransaction(connection)),
    releaseConnection(connection) {
      observer.inUse(-1)
      return driver.releaseConnection(connection)
    },
    destroy: () => driver.destroy(),
  }
}

/** The connections of our drivers are plain objects, so a copy works like the original. */
const observedConnection = (
  connection: DatabaseConnection,
  reportErrors: <Result>(work: Promise<Result>) => Promise<Result>,
  observer: DatabaseObserver,
): DatabaseConnection => ({
  ...connection,
  async executeQuery<Row>(query: CompiledQuery) {
    const ended = observer.statement(query)
    try {
      return await reportErrors(connection.executeQuery<Row>(query))
    } finally {
      ended()
    }
  },
})
