import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { manyUploads, type ManyUploads } from '../../../scripts/many-uploads.ts'
import type { LocalRules } from '../../src/export/notification-filter.ts'
import { importRecords } from '../../src/export/import.ts'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openBulkTables } from '../../src/metadata/bulk-tables.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

const rules: LocalRules = { privateNetworks: [], webhooksPerUser: 10, onRefused: () => undefined }

/** Fills a new database with generated uploads, as `svcd import` does. */
export async function fillDatabase(database: MetadataBackendConfig, many: ManyUploads): Promise<void> {
  const tables = await openBulkTables(await openDialect(database, 'bulk', () => undefined))
  try {
    await importRecords(tables, Readable.from(bytesOf(manyUploads(many)), { objectMode: true }), 'new', rules)
  } finally {
    await tables.close()
  }
}

/** A directory for a server on a filled database. It has a data directory, because no start creates one for a database with files. */
export async function serverDirectory(): Promise<string> {
  const directory = await temporaryDirectory()
  await mkdir(join(directory, 'files'))
  return directory
}

function* bytesOf(lines: Iterable<string>): Generator<Buffer> {
  for (const line of lines) yield Buffer.from(line)
}
