import type { Config } from '../../config/config.ts'

/** The path of an SQLite database; null for other databases, and for names that SQLite interprets itself. */
export function sqlitePath({ metadataBackend }: Pick<Config, 'metadataBackend'>): string | null {
  const { driver, connectionString } = metadataBackend
  const isPath = connectionString !== ':memory:' && !connectionString.startsWith('file:')
  return driver === 'sqlite3' && isPath ? connectionString : null
}
