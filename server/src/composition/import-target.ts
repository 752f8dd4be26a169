import { getRandomValues } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { argon2Passwords } from '../auth/passwords.ts'
import type { Config } from '../config/config.ts'
import { MissingContainerError, type DataBackend } from '../data/backend/backend.ts'
import { openDataBackend } from '../data/open.ts'
import type { Clock } from '../domain/clock.ts'
import { CommandError } from '../domain/command-error.ts'
import { randomUploadToken } from '../domain/ids.ts'
import { ignore } from '../domain/ignore.ts'
import { recordAdder } from '../export/add-records.ts'
import { noRecords, type Tally } from '../export/export.ts'
import { doublings } from '../export/import.ts'
import type { LocalRules } from '../export/notification-filter.ts'
import type { ImportTarget, ServiceImportReport } from '../import/run.ts'
import { copyInto, verifyOnly } from '../import/transfer.ts'
import type { BulkTables } from '../metadata/bulk-tables.ts'
import { nothingKnown, withKnownRecords } from '../metadata/known-records.ts'
import { openDialect } from '../metadata/open-dialect.ts'
import { systemClock } from '../platform/system-clock.ts'
import { pingTimeout, signInWarnings, storeWarnings } from './import-warnings.ts'
import { exclusively } from './one-import.ts'
import { refuseMemory } from './refuse-memory.ts'
import { withWholeTables } from './server.ts'

interface ImportTargetOptions {
  /** Whether everything is read, and nothing changed. */
  readonly isDryRun: boolean
  /** Whether the bytes are in the data store already, under the ids of the files. */
  readonly isInPlace: boolean
  readonly clock: Clock
}

/**
 * Runs an import from another service into the configured service.
 * @throws CommandError, and an error when the database or the data store cannot be opened
 */
export async function withImportTarget<Result>(
  config: Config,
  { isDryRun, isInPlace, clock }: ImportTargetOptions,
  work: (target: ImportTarget) => Promise<Result>,
): Promise<Result> {
  refuseMemory(config)
  const passwords = argon2Passwords(clock)
  // The queue of passwords is short.
  const limit = pLimit(availableParallelism())
  const actions = {
    hashPassword: (secret: string) =>
      limit(() => passwords.hash(secret, { queue: 'password change', network: '' })),
    randomSecret: () => randomUploadToken(getRandomValues),
  }
  const data = await openDataBackend(config.dataBackend, systemClock, getRandomValues, { create: false })
  if (isDryRun)
    return withTargetToRead(config, (known) =>
      work({
        ...actions,
        transfer: verifyOnly(data),
        known,
        add: countOnly,
        warnings: async (report) => [
          ...signInWarnings(config, report),
          ...(isInPlace ? [] : await storeWarnings(config, data, report)),
        ],
      }),
    )
  const warnings = (report: ServiceImportReport) => Promise.resolve(signInWarnings(config, report))
  return alone(config, async (tables) => {
    if (!isInPlace) await createMissing(data, tables)
    const transfer = isInPlace ? verifyOnly(data) : copyInto(data)
    const count = () => tables.transaction((writes) => writes.countOwners())
    let result: Result
    try {
      result = await work({ ...actions, transfer, known: tables.known, add: adderTo(tables), warnings })
    } catch (error) {
      // What was imported until then stays. The first error counts.
      await count().catch(ignore)
      throw error
    }
    await count()
    return result
  })
}

/** Opens the database for one import at a time: another one would copy the same files. */
const alone = <Result>(config: Config, work: (tables: BulkTables) => Promise<Result>): Promise<Result> =>
  withWholeTables(config, (tables) => {
    const { driver, connectionString } = config.metadataBackend
    return driver === 'sqlite3' && !connectionString.startsWith('file:')
      ? exclusively(`${connectionString}-import`, () => work(tables))
      : work(tables)
  })

/**
 * Creates a missing directory or container, as a start of the server does: only if the database has no files, which should be
 * in it.
 * @throws CommandError when it is missing, and the database has files
 */
async function createMissing(data: DataBackend, tables: Pick<BulkTables, 'hasFiles'>): Promise<void> {
  if (!(await tables.hasFiles())) {
    await data.createMissing?.()
    return
  }
  try {
    await data.ping?.(AbortSignal.timeout(pingTimeout))
  } catch (error) {
    if (!(error instanceof MissingContainerError)) throw error
    throw new CommandError(
      `${error.message}, and the database has files: mount it, or create it, and import again to restore them`,
      error,
    )
  }
}

async function withTargetToRead<Result>(
  { metadataBackend }: Config,
  work: (known: typeof nothingKnown) => Promise<Result>,
): Promise<Result> {
  if (metadataBackend.driver === 'sqlite3' && !existsSync(metadataBackend.connectionString))
    return work(nothingKnown)
  const dialect = await openDialect(metadataBackend, purposeOf(metadataBackend), () => undefined)
  return withKnownRecords(dialect, work)
}

/** Reading leaves a file of SQLite as it is. */
export const purposeOf = ({ driver }: { readonly driver: string }) =>
  driver === 'sqlite3' ? 'inspect' : 'bulk'

/** Other services have no webhooks. */
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

const countOnly: ImportTarget['add'] = (lines) => {
  const added = noRecords()
  for (const { kind } of lines) added[kind] += 1
  return Promise.resolve({ added, skipped: noRecords(), refused: noRecords() })
}

function addTo(total: Tally, more: Tally): void {
  for (const kind of Object.keys(total) as (keyof Tally)[]) total[kind] += more[kind]
}
