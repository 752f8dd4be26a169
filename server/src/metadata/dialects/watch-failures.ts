import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely'
import type { MetadataDialect, RunSynchronously } from './dialect.ts'

/** Called with each error of a statement or a transaction, after its retries. */
export type OnFailure = (error: unknown) => void

/**
 * The same database, whose failed operations are reported. Those that succeed do not wait for it. Not those of transactions:
 * the caller may retry a transaction, and reports its failure when it gives up.
 */
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
    // Each use of a connection has a new copy, so a copy that began a transaction is used for nothing else.
    const inTransaction = new WeakSet<DatabaseConnection>()
    return {
      init: () => driver.init(),
      acquireConnection: async () => {
        const connection = await driver.acquireConnection()
        // The connections of our drivers are plain objects, so a copy works like the original.
        const watched: DatabaseConnection = {
          ...connection,
          executeQuery: <Row>(query: CompiledQuery) => {
            const result = connection.executeQuery<Row>(query)
            // The caller handles the rejection, and does not wait for the report.
            if (!inTransaction.has(watched)) void result.catch(onFailure)
            return result
          },
        }
        return watched
      },
      beginTransaction: (connection, settings) => {
        inTransaction.add(connection)
        return driver.beginTransaction(connection, settings)
      },
      commitTransaction: (connection) => driver.commitTransaction(connection),
      rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
      releaseConnection: (connection) => driver.releaseConnection(connection),
      destroy: () => driver.destroy(),
    } satisfies Driver
  },
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
