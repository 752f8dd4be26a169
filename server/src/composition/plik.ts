import { getRandomValues } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { openDataBackend } from '../data/open.ts'
import type { Clock } from '../domain/clock.ts'
import { CommandError } from '../domain/command-error.ts'
import { contentInDirectory, contentInStore, type OpenPlikFile } from '../import/plik/content.ts'
import { withPlikDatabase } from '../import/plik/database.ts'
import type { PlikSource } from '../import/plik/import.ts'
import type { PlikInstallation } from '../import/plik/installation.ts'
import type { ImportTarget } from '../import/run.ts'
import { openDialect } from '../metadata/open-dialect.ts'
import { systemClock } from '../platform/system-clock.ts'
import { purposeOf, withImportTarget } from './import-target.ts'

export interface PlikImportOptions {
  readonly installation: PlikInstallation
  /** Whether everything is read, and nothing changed. */
  readonly isDryRun: boolean
  /** Whether the bytes are in the data store already, under the ids of the files. */
  readonly isInPlace: boolean
  readonly clock: Clock
}

/**
 * Runs an import on an installation of Plik and the configured service.
 * @throws CommandError, and an error when a database or the data store cannot be opened
 */
export async function withPlik<Result>(
  config: Config,
  options: PlikImportOptions,
  work: (source: PlikSource, target: ImportTarget) => Promise<Result>,
): Promise<Result> {
  const { installation, isDryRun, clock } = options
  const { database: databaseConfig } = installation
  const address =
    databaseConfig.driver === 'sqlite3'
      ? { ...databaseConfig, driver: databaseConfig.driver, fsync: false }
      : { ...databaseConfig, driver: databaseConfig.driver, maxConnections: 2 }
  const dialect = await openDialect(address, purposeOf(databaseConfig), () => undefined)
  const { openFile, isInPlace } = await bytesOf(config, options)
  return withPlikDatabase(dialect, databaseConfig, (database) =>
    withImportTarget(config, { isDryRun, isInPlace, clock }, (target) =>
      work({ database, openFile }, target),
    ),
  )
}

async function bytesOf(
  config: Config,
  { installation, isInPlace }: PlikImportOptions,
): Promise<{ readonly openFile: OpenPlikFile; readonly isInPlace: boolean }> {
  const directory = installation.files?.kind === 'directory' ? installation.files.directory : null
  const staysInPlace = isInPlace || (directory !== null && isDataDirectory(config, directory))
  if (staysInPlace) {
    const store = await openDataBackend(config.dataBackend, systemClock, getRandomValues, { create: false })
    return { openFile: contentInStore(store), isInPlace: true }
  }
  if (directory === null) throw new CommandError(howToCopy(installation))
  if (!existsSync(directory))
    throw new CommandError(
      `the directory of Plik's files, ${directory}, does not exist: name it with --data (relative paths start at the configuration file)`,
    )
  return { openFile: contentInDirectory(directory), isInPlace: false }
}

/** Whether the data directory of the service is that of Plik, also by another path. */
function isDataDirectory({ dataBackend }: Config, directory: string): boolean {
  if (dataBackend.kind !== 'file') return false
  const [own, theirs] = [dataBackend.directory, directory].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  )
  return own !== undefined && theirs !== undefined && own.dev === theirs.dev && own.ino === theirs.ino
}

function howToCopy({ files }: PlikInstallation): string {
  if (files?.kind !== 'object store') return `name the directory of Plik's files with --data`
  const copy = `copy its objects into a directory (for example with rclone copy), and name that with --data`
  return files.keysAreIds
    ? `Plik keeps its files in ${files.name}: ${copy}; or configure it as the data store of svcd (docs/importing.md), and add --in-place`
    : `Plik keeps its files in ${files.name}: ${copy}`
}
