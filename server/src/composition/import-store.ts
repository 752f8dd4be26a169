import { getRandomValues } from 'node:crypto'
import type { Config } from '../config/config.ts'
import type { DataBackend } from '../data/backend/backend.ts'
import { openDataBackend } from '../data/open.ts'
import { inspectDatabase } from '../metadata/inspect.ts'
import { openDialect } from '../metadata/open-dialect.ts'
import { systemClock } from '../platform/system-clock.ts'

/**
 * Opens the data store for the files of an import. As a start of the server, it creates a missing directory or container
 * only if the database has no files, which should be in it.
 */
export async function openImportStore(config: Config): Promise<DataBackend> {
  const create = !(await hasFiles(config))
  return openDataBackend(config.dataBackend, systemClock, getRandomValues, { create })
}

/** A database that does not exist yet has none. What is wrong with it is reported when the import opens it. */
async function hasFiles({ metadataBackend }: Config): Promise<boolean> {
  try {
    return (await inspectDatabase(await openDialect(metadataBackend, 'inspect', () => undefined))).hasFiles
  } catch {
    return false
  }
}
