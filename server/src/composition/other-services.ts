import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Clock } from '../domain/clock.ts'
import { CommandError } from '../domain/command-error.ts'
import { withSourceDatabase, type SourceDatabase } from '../import/database.ts'
import { importGokapi } from '../import/gokapi/import.ts'
import { findGokapi } from '../import/gokapi/installation.ts'
import { importPingvin } from '../import/pingvin/import.ts'
import { findPingvin } from '../import/pingvin/installation.ts'
import type { ImportRun, ImportTarget } from '../import/run.ts'
import { importTransferSh } from '../import/transfer-sh/import.ts'
import { openDialect } from '../metadata/open-dialect.ts'
import { withImportTarget } from './import-target.ts'

/** Services whose installations are directories. */
export const directoryServices = ['gokapi', 'transfer.sh', 'pingvin'] as const
export type DirectoryService = (typeof directoryServices)[number]

export interface DirectoryImportOptions {
  readonly service: DirectoryService
  /** The directory of the installation. */
  readonly root: string
  /** The directory of the files, if it is another than the installation names. */
  readonly data: string | undefined
  /** Whether everything is read, and nothing changed. */
  readonly isDryRun: boolean
  readonly clock: Clock
}

type ImportAll = (run: ImportRun) => Promise<void>

/**
 * Runs an import of an installation that is a directory into the configured service.
 * @throws CommandError, and an error when a database or the data store cannot be opened
 */
export const withDirectoryService = (
  config: Config,
  options: DirectoryImportOptions,
  work: (target: ImportTarget, importAll: ImportAll) => Promise<void>,
): Promise<void> =>
  withInstallation(options, async (importAll) => {
    const { isDryRun, clock } = options
    await withImportTarget(config, { isDryRun, isInPlace: false, clock }, (target) => work(target, importAll))
  })

async function withInstallation(
  { service, root, data }: DirectoryImportOptions,
  work: (importAll: ImportAll) => Promise<void>,
): Promise<void> {
  switch (service) {
    case 'gokapi': {
      const installation = await findGokapi(root, data)
      requireDirectory(installation.files)
      await withDatabase(installation.database, 'Gokapi', (database) =>
        work((run) => importGokapi(run, installation, database)),
      )
      return
    }
    case 'pingvin': {
      const installation = await findPingvin(root, data)
      requireDirectory(installation.files)
      await withDatabase(installation.database, 'Pingvin Share', (database) =>
        work((run) => importPingvin(run, installation, database)),
      )
      return
    }
    case 'transfer.sh':
      requireDirectory(root)
      await work((run) => importTransferSh(run, data ?? resolve(root)))
  }
}

function requireDirectory(directory: string): void {
  if (!existsSync(directory))
    throw new CommandError(`the directory ${directory} does not exist: name that of the files with --data`)
}

async function withDatabase(
  path: string,
  service: string,
  work: (database: SourceDatabase) => Promise<void>,
): Promise<void> {
  const address = { driver: 'sqlite3', connectionString: path, fsync: false } as const
  const dialect = await openDialect(address, 'inspect', () => undefined)
  await withSourceDatabase(dialect, { service, file: path }, work)
}
