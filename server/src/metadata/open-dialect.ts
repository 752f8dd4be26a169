import type { MetadataBackendConfig } from '../config/config.ts'
import type { MetadataDialect, NetworkDatabaseOptions } from './dialects/dialect.ts'
import { sqliteDialect } from './dialects/sqlite/sqlite.ts'

/** What the database is opened for: `bulk` takes the time it takes, `look` waits for nobody and changes nothing. */
export type Purpose = 'service' | 'bulk' | 'look'

/** Milliseconds. */
const times = {
  service: { statementTimeout: 30_000, idleTransactionTimeout: 60_000, startTimeout: 30_000 },
  // An export waits for whoever takes it in, an import for whoever brings it.
  bulk: { statementTimeout: 0, idleTransactionTimeout: 0, startTimeout: 30_000 },
  look: { statementTimeout: 5_000, idleTransactionTimeout: 60_000, startTimeout: 0 },
} as const satisfies Record<Purpose, Partial<NetworkDatabaseOptions>>

/** The database that is configured. What it needs is loaded when it is one. */
export async function openDialect(
  config: MetadataBackendConfig,
  purpose: Purpose,
  onWaiting: NetworkDatabaseOptions['onWaiting'],
): Promise<MetadataDialect> {
  if (config.driver === 'sqlite3')
    return sqliteDialect(config.connectionString, {
      readerThread: purpose === 'service',
      access: purpose === 'look' ? 'read' : 'write',
      durability: config.fsync ? (purpose === 'bulk' ? 'each commit' : 'group commit') : 'none',
    })
  const { driver, connectionString, maxConnections } = config
  const options: NetworkDatabaseOptions = {
    connectionString,
    maxConnections,
    ...times[purpose],
    onWaiting,
  }
  switch (driver) {
    case 'postgres':
      return (await import('./dialects/postgres.ts')).postgresDialect(options)
    case 'mysql':
      return (await import('./dialects/mysql.ts')).mysqlDialect(options)
  }
}
