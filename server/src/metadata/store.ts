import { CompiledQuery, Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { attemptQueries } from './accounts/attempts.ts'
import { budgetQueries } from './accounts/budgets.ts'
import { cliLoginQueries } from './accounts/cli-logins.ts'
import { dailyCounterQueries } from './stats/daily-counters.ts'
import type { MetadataDialect, Capabilities } from './dialects/dialect.ts'
import { durablePlugin } from './dialects/durable-plugin.ts'
import { again } from './dialects/errors.ts'
import { giveSpaceBack } from './free-pages.ts'
import { fileQueries } from './files/files.ts'
import { instanceQueries } from './instances.ts'
import { migrationsOf, timeOf } from './inspect.ts'
import { migrationsFor } from './migrations/index.ts'
import { allowSynchronous, type Db } from './query/prepared.ts'
import { removalQueries } from './uploads/removals.ts'
import { resumableQueries } from './files/resumables.ts'
import type { Schema } from './query/schema.ts'
import { groupCommit, type Durable, type Transact, type TransactionOptions } from './group-commit.ts'
import { sessionQueries } from './accounts/sessions.ts'
import { settingQueries } from './settings.ts'
import { tokenQueries } from './accounts/tokens.ts'
import { totalsQueries, transactionTotals } from './stats/totals.ts'
import { uploadBatchQueries } from './uploads/upload-batches.ts'
import { uploadQueries } from './uploads/uploads.ts'
import { userQueries } from './accounts/users.ts'
import { verificationQueries } from './files/verification.ts'

/** The queries of all tables. A transaction is another store. */
export interface MetadataStore {
  readonly uploads: ReturnType<typeof uploadQueries>
  readonly uploadBatches: ReturnType<typeof uploadBatchQueries>
  readonly removals: ReturnType<typeof removalQueries>
  readonly files: ReturnType<typeof fileQueries>
  readonly resumables: ReturnType<typeof resumableQueries>
  readonly instances: ReturnType<typeof instanceQueries>
  readonly users: ReturnType<typeof userQueries>
  readonly sessions: ReturnType<typeof sessionQueries>
  readonly tokens: ReturnType<typeof tokenQueries>
  readonly cliLogins: ReturnType<typeof cliLoginQueries>
  readonly attempts: ReturnType<typeof attemptQueries>
  readonly budgets: ReturnType<typeof budgetQueries>
  readonly dailyFigures: ReturnType<typeof dailyCounterQueries>
  readonly settings: ReturnType<typeof settingQueries>
  readonly totals: ReturnType<typeof totalsQueries>
  readonly verification: ReturnType<typeof verificationQueries>
  /** Rows that one transaction changes at most, so that requests do not wait long for its end. */
  readonly batchRows: number
  /** Gives disk space back that deleted rows have left, some at a time. @returns whether there is more */
  giveSpaceBack(): Promise<boolean>
  /** Asks for as little as there is, to see that the database answers. */
  ping(): Promise<void>
  /**
   * Does some work, all of it or nothing. The work may be done anew after a deadlock or a lost connection, so it
   * does nothing but asking the database.
   * @throws ServiceError `unavailable` when the database cannot be reached
   */
  transaction<Result>(
    work: (store: MetadataStore) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
}

export interface OpenMetadataStore extends MetadataStore {
  /** Bytes that are free where the database is; absent where that is no business of this machine. */
  readonly freeSpace?: () => Promise<number>
  /** The database's time in ms; null where it has none but the machine's. @throws ServiceError `unavailable` */
  readonly time: () => Promise<number | null>
  /** Tells the database what its tables hold by now, where it does not find out by itself. */
  keepStatistics(): Promise<void>
  close(): Promise<void>
}

/** Where one writer at a time has the database, and the event loop, to itself; and where others go on beside it. */
const batchRows = { alone: 200, besideOthers: 1_000 }

/** @param lists where reads run that take long */
function storeOn(db: Db, traits: Capabilities, transaction: Transact, lists: Db = db): MetadataStore {
  // Several works may share a transaction.
  const stores = new WeakMap<Db, MetadataStore>()
  const storeIn = (inside: Db) => {
    const known = stores.get(inside)
    if (known !== undefined) return known
    const made = storeOn(inside, traits, noTransaction)
    stores.set(inside, made)
    return made
  }
  const on =
    <Result>(work: (store: MetadataStore) => Promise<Result>) =>
    (inside: Db) =>
      work(storeIn(inside))
  return {
    uploads: uploadQueries(db, lists),
    uploadBatches: uploadBatchQueries(db, traits),
    removals: removalQueries(db, traits),
    files: fileQueries(db, traits, lists),
    resumables: resumableQueries(db, traits),
    instances: instanceQueries(db),
    users: userQueries(db, traits, lists),
    sessions: sessionQueries(db),
    tokens: tokenQueries(db),
    cliLogins: cliLoginQueries(db),
    attempts: attemptQueries(db),
    budgets: budgetQueries(db, traits),
    dailyFigures: dailyCounterQueries(db, traits, lists),
    settings: settingQueries(db),
    totals: totalsQueries(db, traits),
    verification: verificationQueries(db, lists),
    batchRows: traits.rowLocks ? batchRows.besideOthers : batchRows.alone,
    giveSpaceBack: () => giveSpaceBack(db, traits),
    ping: async () => {
      await db.selectFrom('settings').select('key').limit(1).execute()
    },
    transaction: (work, options) => transaction(on(work), options),
  }
}

const noTransaction: Transact = () => Promise.reject(new Error('this is a transaction already'))

const transactionsOf = (db: Db, { rowLocks }: Capabilities, durable: Durable): Transact =>
  rowLocks
    ? (work) => again(() => db.transaction().execute(work))
    : groupCommit(db, { durable, sums: transactionTotals })

/**
 * Opens a database and brings its schema up to date.
 * @throws when the database cannot be opened or a migration fails; then nothing of the migration stays, but on MySQL,
 * which cannot undo changes of a schema: there the next start goes on where it ended
 */
export async function openMetadataStore(dialect: MetadataDialect): Promise<OpenMetadataStore> {
  const { durable } = dialect
  const db = new Kysely<Schema>({ dialect, ...(durable && { plugins: [durablePlugin(durable)] }) })
  if (dialect.runAtOnce !== undefined) allowSynchronous(db, dialect.runAtOnce)
  let traits: Capabilities
  try {
    traits = await dialect.traits(db)
    await migrate(db, traits)
    await durable?.()
  } catch (cause) {
    await db.destroy()
    throw new Error('the metadata database could not be opened or migrated', { cause })
  }
  const reader = dialect.reader && new Kysely<Schema>({ dialect: dialect.reader })
  return {
    ...storeOn(db, traits, transactionsOf(db, traits, durable), reader),
    ...(dialect.freeSpace && { freeSpace: dialect.freeSpace }),
    time: () => timeOf(db, dialect),
    keepStatistics: () => runAll(db, dialect.statistics.routine),
    close: async () => {
      // First: who closes a database last tidies up after all.
      await reader?.destroy()
      await db.destroy()
    },
  }
}

export async function runAll(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
}

async function migrate(db: Kysely<Schema>, traits: Capabilities): Promise<void> {
  const migrations = migrationsFor(traits)
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  // Where this cannot be read either, the first failure says more.
  const { unknown } = await migrationsOf(db, traits).catch(() => ({ unknown: [] }))
  if (unknown.length > 0)
    throw new Error(`it has migrations of a newer svcd (${unknown.join(', ')}): run that one, not this`)
  throw new Error('a migration failed', { cause: error })
}
