import type { CompiledQuery } from 'kysely'
import type { MetadataDialect } from '../../src/metadata/dialects/dialect.ts'

/** Tells of each statement that a database is asked. */
export function watchedQueries(
  dialect: MetadataDialect,
  onQuery: (query: CompiledQuery) => void,
): MetadataDialect {
  const watched = new WeakSet()
  return {
    ...dialect,
    createDriver() {
      const driver = dialect.createDriver()
      return {
        init: () => driver.init(),
        destroy: () => driver.destroy(),
        async acquireConnection() {
          const connection = await driver.acquireConnection()
          if (watched.has(connection)) return connection
          watched.add(connection)
          const execute = connection.executeQuery.bind(connection)
          return Object.assign(connection, {
            executeQuery: (query: CompiledQuery) => {
              onQuery(query)
              return execute(query)
            },
          })
        },
        releaseConnection: (connection) => driver.releaseConnection(connection),
        beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
        commitTransaction: (connection) => driver.commitTransaction(connection),
        rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
      }
    },
  }
}
