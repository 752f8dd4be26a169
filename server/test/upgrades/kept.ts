import { join } from 'node:path'
import type { MetadataBackendConfig } from '../../src/config/config.ts'

/** Versions of which a database is kept. */
export const versions = ['0.1.0']

export const kinds = ['sqlite3', 'postgres', 'mysql'] as const
export type Kind = (typeof kinds)[number]

/** The folder of a kept version, or of one of its databases. */
export const folderOf = (version: string, kind?: Kind): string =>
  join(import.meta.dirname, `kept-${version}`, kind ?? '')

/** Variables that set the database of a server. */
export const settingsOf = ({
  driver,
  connectionString,
}: Pick<MetadataBackendConfig, 'driver' | 'connectionString'>): Readonly<Record<string, string>> => ({
  SVCD_METADATA_BACKEND_CONFIG_DRIVER: driver,
  SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING: connectionString,
})
