import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import type { MetadataDialect, RunSynchronously } from './dialect.ts'

/** Called with each error of a statement or a transaction. */
type OnFailure = (error: unknown) => void

/** The same database, whose failed operations are reported. Those that succeed do not wait for it. */
export const watchFailures = (dialect: MetadataDialect, onFailure: OnFailure): MetadataDialect => ({
  ...dialect,
  ...watchedDriver(dialect, onFailure),
  ...(dialect.lists && { lists: { ...dialect.lists, ...watchedDriver(dialect.lists, onFailure) } }),
  ...(dialect.background && {
    background: { ...dialect.background, ...watchedDriver(dialect.background, onFailure) },
  }),
  ...(dialect.runSynchronously && { runSynchronously: watchedRunner(dialect.runSynchronously, onFailure) }),
})

const watchedDriver = (dialect: Dialect, onFailure: OnFailure): Pick<Dialect, 'createDriver'> => ({
  createDriver() {
    const driver = dialect.createDriver()
    const watch = <Result>(work: Promise<Result>): Promise<Result> => {
      // The caller handles the rejection, and does not wait for the report.
      void work.catch(onFailure)
      return work
    }
    return {
      init: () => driver.init(),
      acquireConnection: async () => watchedConnection(await driver.acquireConnection(), watch),
      beginTransaction: (connection, settings) => watch(driver.beginTransaction(connection, settings)),
      commitTransaction: (connection) => watch(driver.commitTransaction(connection)),
      rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
      releaseConnection: (connection) => driver.releaseConnection(connection),
      destroy: () => driver.destroy(),
    } satisfies Driver
  },
})

/** The connections of our drivers are plain objects, so a copy works like the original. */
const watchedConnection = (
  connection: DatabaseConnection,
  watch: <Result>(work: Promise<Result>) => Promise<Result>,
): DatabaseConnection => ({
  ...connection,
  executeQuery: (query) => watch(connection.executeQuery(query)),
})

const watchedRunner =
  (run: RunSynchronously, onFailure: OnFailure): RunSynchronously =>
  (query, inTransaction) => {
    try {
      return run(query, inTransaction)
    } catch (error) {
      onFailure(error)
      throw error
    }
  }
