import { getRandomValues } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { argon2Passwords } from '../auth/passwords.ts'
import type { Config } from '../config/config.ts'
import type { DataBackend } from '../data/backend/backend.ts'
import { openDataBackend } from '../data/open.ts'
import type { Clock } from '../domain/clock.ts'
import { randomUploadToken } from '../domain/ids.ts'
import { ignore } from '../domain/ignore.ts'
import { recordAdder } from '../export/add-records.ts'
import { noRecords, type Tally } from '../export/export.ts'
import { doublings } from '../export/import.ts'
import type { LocalRules } from '../export/notification-filter.ts'
import type { ImportTarget } from '../import/run.ts'
import { copyInto, verifyOnly } from '../import/transfer.ts'
import type { BulkTables } from '../metadata/bulk-tables.ts'
import { nothingKnown, withKnownRecords } from '../metadata/known-records.ts'
import { openDialect } from '../metadata/open-dialect.ts'
import { systemClock } from '../platform/system-clock.ts'
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
  if (isDryRun)
    return withTargetToRead(config, (known) =>
      work({ ...actions, transfer: verifyOnly, known, add: countOnly }),
    )
  const data = isInPlace
    ? null
    : await openDataBackend(config.dataBackend, systemClock, getRandomValues, { create: false })
  return withWholeTables(config, async (tables) => {
    if (data !== null) await createMissing(data, tables)
    const transfer = data === null ? verifyOnly : copyInto(data)
    const count = () => tables.transaction((writes) => writes.countOwners())
    let result: Result
    try {
      result = await work({ ...actions, transfer, known: tables.known, add: adderTo(tables) })
    } catch (error) {
      // What was imported until then stays. The first error counts.
      await count().catch(ignore)
      throw error
    }
    await count()
    return result
  })
}

/**
 * Creates a missing directory or container, as a start of the server does: only if the database has no files, which should be
 * in it.
 */
async function createMissing(data: DataBackend, tables: Pick<BulkTables, 'hasFiles'>): Promise<void> {
  if (data.createMissing !== undefined && !(await tables.hasFiles())) await data.createMissing()
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
