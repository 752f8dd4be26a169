import { getRandomValues } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { argon2Passwords } from '../auth/passwords.ts'
import type { Config } from '../config/config.ts'
import type { DataBackend } from '../data/backend/backend.ts'
import { openDataBackend } from '../data/open.ts'
import type { Clock } from '../domain/clock.ts'
import { CommandError } from '../domain/command-error.ts'
import { randomUploadToken } from '../domain/ids.ts'
import { ignore } from '../domain/ignore.ts'
import { recordAdder } from '../export/add-records.ts'
import type { LocalRules } from '../export/notification-filter.ts'
import { noRecords, type Tally } from '../export/export.ts'
import { doublings } from '../export/import.ts'
import { contentInDirectory, contentInStore } from '../import/plik/content.ts'
import { withPlikDatabase, type PlikDatabase } from '../import/plik/database.ts'
import type { PlikInstallation } from '../import/plik/installation.ts'
import type { ImportTarget } from '../import/plik/run.ts'
import { copyInto, verifyOnly, type Transfer } from '../import/plik/transfer.ts'
import type { BulkTables } from '../metadata/bulk-tables.ts'
import { nothingKnown, withKnownRecords } from '../metadata/known-records.ts'
import { openDialect } from '../metadata/open-dialect.ts'
import { systemClock } from '../platform/system-clock.ts'
import { withWholeTables } from './server.ts'

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
  work: (source: PlikDatabase, target: ImportTarget) => Promise<Result>,
): Promise<Result> {
  const { installation, isDryRun, clock } = options
  const { database } = installation
  const address =
    database.driver === 'sqlite3'
      ? { ...database, driver: database.driver, fsync: false }
      : { ...database, driver: database.driver, maxConnections: 2 }
  const dialect = await openDialect(address, purposeOf(database), () => undefined)
  const transfer = await transferOf(config, options)
  const passwords = argon2Passwords(clock)
  // The queue of passwords is short.
  const limit = pLimit(availableParallelism())
  const secrets = {
    hashPassword: (secret: string) =>
      limit(() => passwords.hash(secret, { queue: 'password change', network: '' })),
    randomSecret: () => randomUploadToken(getRandomValues),
  }
  return withPlikDatabase(dialect, database, async (source) =>
    isDryRun
      ? withTargetToRead(config, (known) => work(source, { ...secrets, known, add: counted, transfer }))
      : withWholeTables(config, async (tables) => {
          const count = () => tables.transaction((writes) => writes.countOwners())
          let result: Result
          try {
            result = await work(source, { ...secrets, known: tables.known, add: adderTo(tables), transfer })
          } catch (error) {
            // What was imported until then stays. The first error counts.
            await count().catch(ignore)
            throw error
          }
          await count()
          return result
        }),
  )
}

/** Reading leaves a file of SQLite as it is. */
const purposeOf = ({ driver }: { readonly driver: string }) => (driver === 'sqlite3' ? 'inspect' : 'bulk')

async function withTargetToRead<Result>(
  { metadataBackend }: Config,
  work: (known: typeof nothingKnown) => Promise<Result>,
): Promise<Result> {
  if (metadataBackend.driver === 'sqlite3' && !existsSync(metadataBackend.connectionString))
    return work(nothingKnown)
  const dialect = await openDialect(metadataBackend, purposeOf(metadataBackend), () => undefined)
  return withKnownRecords(dialect, work)
}

/** Plik has no webhooks. */
const noWebhooks: LocalRules = { privateNetworks: [], webhooksPerUser: 0, onRefused: () => undefined }

/** Adds records in a transaction, and updates statistics each time that records of a kind have doubled. */
function adderTo(tables: BulkTables): ImportTarget['add'] {
  const total = noRecords()
  const hasDoubled = doublings()
  return (lines) =>
    tables.transaction(
      async (writes) => {
        const adder = recordAdder(writes, 'merge', noWebhooks)
        await adder.add(lines)
        addTo(total, adder.report.added)
        if (hasDoubled(total)) await writes.updateStatistics()
        return adder.report
      },
      { followed: true },
    )
}

const counted: ImportTarget['add'] = (lines) => {
  const added = noRecords()
  for (const { kind } of lines) added[kind] += 1
  return Promise.resolve({ added, skipped: noRecords(), refused: noRecords() })
}

function addTo(total: Tally, more: Tally): void {
  for (const kind of Object.keys(total) as (keyof Tally)[]) total[kind] += more[kind]
}

async function transferOf(
  config: Config,
  { installation, isDryRun, isInPlace }: PlikImportOptions,
): Promise<Transfer> {
  const directory = installation.files?.kind === 'directory' ? installation.files.directory : null
  const staysInPlace = isInPlace || (directory !== null && isDataDirectory(config, directory))
  const store = (): Promise<DataBackend> =>
    openDataBackend(config.dataBackend, systemClock, getRandomValues, { create: !isDryRun && !staysInPlace })
  if (staysInPlace) return verifyOnly(contentInStore(await store()))
  if (directory === null) throw new CommandError(howToCopy(installation))
  if (!existsSync(directory))
    throw new CommandError(
      `the directory of Plik's files, ${directory}, does not exist: name it with --data (relative paths start at the configuration file)`,
    )
  const open = contentInDirectory(directory)
  return isDryRun ? verifyOnly(open) : copyInto(await store(), open)
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
