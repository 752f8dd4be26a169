import type { MetadataBackendConfig } from '../../config/config.ts'
import type { MetadataDialect, NetworkDatabaseOptions } from './dialect.ts'
import { sqliteDialect } from './sqlite.ts'

/** Milliseconds. */
const statementTimeout = 30_000
const idleTransactionTimeout = 60_000
const startTimeout = 30_000

/** What the database is opened for: `bulk` takes the time it takes. */
export type Purpose = 'service' | 'bulk'

/** The database that is configured. What it needs is loaded when it is one. */
export async function openDialect(
  config: MetadataBackendConfig,
  purpose: Purpose,
  onWaiting: NetworkDatabaseOptions['onWaiting'],
): Promise<MetadataDialect> {
  if (config.driver === 'sqlite3') return sqliteDialect(config.connectionString)
  const { driver, connectionString, maxConnections } = config
  const isBulk = purpose === 'bulk'
  const options: NetworkDatabaseOptions = {
    connectionString,
    maxConnections,
    statementTimeout: isBulk ? 0 : statementTimeout,
    // An export waits for whoever takes it in, an import for whoever brings it.
    idleTransactionTimeout: isBulk ? 0 : idleTransactionTimeout,
    startTimeout,
    onWaiting,
  }
  switch (driver) {
    case 'postgres':
      return (await import('./postgres.ts')).postgresDialect(options)
    case 'mysql':
      return (await import('./mysql.ts')).mysqlDialect(options)
  }
}
