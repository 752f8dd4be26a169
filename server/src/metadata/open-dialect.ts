import type { MetadataBackendConfig } from '../config/config.ts'
import type { MetadataDialect, NetworkDatabaseOptions } from './dialects/dialect.ts'
import { sqliteDialect } from './dialects/sqlite/sqlite.ts'

/**
 * The purpose for which the database is opened. `bulk` has no time limits; `inspect` does not wait, and changes nothing.
 * `read` and `bulk read` are for commands that change nothing in a database with tables.
 */
export type Purpose = 'service' | 'read' | 'bulk' | 'bulk read' | 'inspect'

/** Milliseconds. */
const short = { statementTimeout: 30_000, idleTransactionTimeout: 60_000, startTimeout: 30_000 }
// An export waits for the reader of its output, an import for the source of its input.
const unlimited = { statementTimeout: 0, idleTransactionTimeout: 0, startTimeout: 30_000 }

const timeouts = {
  service: short,
  read: short,
  bulk: unlimited,
  'bulk read': unlimited,
  inspect: { statementTimeout: 5_000, idleTransactionTimeout: 60_000, startTimeout: 0 },
} as const satisfies Record<Purpose, Partial<NetworkDatabaseOptions>>

const accesses = {
  service: 'write',
  read: 'read on a full disk',
  bulk: 'write',
  'bulk read': 'read on a full disk',
  inspect: 'read',
} as const

const isBulk = (purpose: Purpose): boolean => purpose === 'bulk' || purpose === 'bulk read'

/** The configured database. Its driver is imported only if it is used. */
export async function openDialect(
  config: MetadataBackendConfig,
  purpose: Purpose,
  onWaiting: NetworkDatabaseOptions['onWaiting'],
): Promise<MetadataDialect> {
  if (config.driver === 'sqlite3')
    return sqliteDialect(config.connectionString, {
      hasThread: purpose === 'service',
      access: accesses[purpose],
      durability: config.fsync ? (isBulk(purpose) ? 'each commit' : 'group commit') : 'none',
    })
  const { driver, connectionString, maxConnections } = config
  const options: NetworkDatabaseOptions = {
    connectionString,
    maxConnections,
    ...timeouts[purpose],
    acquireTimeout: 10_000,
    onWaiting,
  }
  switch (driver) {
    case 'postgres':
      return (await import('./dialects/postgres.ts')).postgresDialect(options)
    case 'mysql':
      return (await import('./dialects/mysql.ts')).mysqlDialect(options)
  }
}
