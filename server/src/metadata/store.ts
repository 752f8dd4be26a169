import { CompiledQuery, Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { aliasQueries } from './uploads/aliases.ts'
import { attemptQueries } from './accounts/attempts.ts'
import { budgetQueries } from './accounts/budgets.ts'
import { CommandError } from '../domain/command-error.ts'
import { cliLoginQueries } from './accounts/cli-logins.ts'
import { dailyStatQueries } from './stats/daily-stats.ts'
import type { MetadataDialect, Capabilities } from './dialects/dialect.ts'
import { durablePlugin } from './dialects/durable-plugin.ts'
import { retry } from './dialects/errors.ts'
import type { OnFailure } from './dialects/watch-failures.ts'
import { truncateLog } from './truncate-log.ts'
import { releaseFreePages } from './free-pages.ts'
import { fileQueries } from './files/files.ts'
import { limitedClaimQueries } from './files/limited-claims.ts'
import { previewQueries } from './uploads/previews.ts'
import { downloadQueries } from './uploads/downloads.ts'
import { outboxQueries } from './notifications/outbox.ts'
import { eventQueries } from './notifications/events.ts'
import { notificationSettingQueries } from './notifications/settings.ts'
import { pushSubscriptionQueries } from './notifications/push-subscriptions.ts'
import { subscriberQueries } from './notifications/subscribers.ts'
import { webhookQueries } from './notifications/webhooks.ts'
import { instanceQueries } from './instances.ts'
import { migrationsOf, renameMigrations, timeOf } from './inspect.ts'
import { usableSchema } from './usable-schema.ts'
import { migrationsFor } from './migrations/index.ts'
import { enableSynchronous, type Db } from './query/prepared.ts'
import { removalQueries } from './uploads/removals.ts'
import { requestQueries } from './requests/requests.ts'
import { resumableQueries } from './files/resumables.ts'
import type { Schema } from './query/schema.ts'
import { groupCommit, type SyncCommits, type Transact, type TransactionOptions } from './group-commit.ts'
import { sessionQueries } from './accounts/sessions.ts'
import { settingQueries } from './settings.ts'
import { tokenQueries } from './accounts/tokens.ts'
import { totalsQueries, deferredTotals } from './stats/totals.ts'
import { uploadBatchQueries } from './uploads/upload-batches.ts'
import { uploadQueries } from './uploads/uploads.ts'
import { userQueries } from './accounts/users.ts'
import { verificationQueries } from './files/verification.ts'

/** The queries of all tables. A transaction has a store that runs its queries in it. */
export interface MetadataStore {
  readonly uploads: ReturnType<typeof uploadQueries>
  readonly uploadBatches: ReturnType<typeof uploadBatchQueries>
  readonly removals: ReturnType<typeof removalQueries>
  readonly files: ReturnType<typeof fileQueries>
  readonly downloads: ReturnType<typeof downloadQueries>
  readonly aliases: ReturnType<typeof aliasQueries>
  readonly claims: ReturnType<typeof limitedClaimQueries>
  readonly previews: ReturnType<typeof previewQueries>
  readonly requests: ReturnType<typeof requestQueries>
  readonly resumables: ReturnType<typeof resumableQueries>
  readonly instances: ReturnType<typeof instanceQueries>
  readonly users: ReturnType<typeof userQueries>
  readonly sessions: ReturnType<typeof sessionQueries>
  readonly tokens: ReturnType<typeof tokenQueries>
  readonly cliLogins: ReturnType<typeof cliLoginQueries>
  readonly webhooks: ReturnType<typeof webhookQueries>
  readonly notificationSettings: ReturnType<typeof notificationSettingQueries>
  readonly events: ReturnType<typeof eventQueries>
  readonly pushSubscriptions: ReturnType<typeof pushSubscriptionQueries>
  readonly subscribers: ReturnType<typeof subscriberQueries>
  readonly outbox: ReturnType<typeof outboxQueries>
  readonly attempts: ReturnType<typeof attemptQueries>
  readonly budgets: ReturnType<typeof budgetQueries>
  readonly dailyStats: ReturnType<typeof dailyStatQueries>
  readonly settings: ReturnType<typeof settingQueries>
  readonly totals: ReturnType<typeof totalsQueries>
  readonly verification: ReturnType<typeof verificationQueries>
  /** The maximum number of rows that one transaction changes, so that requests do not wait long for its end. */
  readonly batchRows: number
  /**
   * Returns some of the disk space of deleted rows to the file system.
   * @returns whether there is more
   */
  releaseFreePages(): Promise<boolean>
  /** Removes the remains of deleted rows from the log of the database, unless the log is in use. */
  truncateLog(): Promise<void>
  /** Runs a minimal query, to check that the database responds. */
  ping(): Promise<void>
  /**
   * Runs work in a transaction. After a deadlock or a lost connection the work runs again, so it must have no effect
   * outside the database.
   * @throws ServiceError `unavailable` when the database cannot be reached
   */
  transaction<Result>(
    work: (store: MetadataStore) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
}

export interface OpenMetadataStore extends MetadataStore {
  /** The same tables for long work, so that requests do not wait for its statements. */
  readonly background: MetadataStore
  /** Free bytes of the disk that holds the database; absent for a database on the network. */
  readonly freeSpace?: () => Promise<number>
  /**
   * The database's clock in ms; null if it uses the clock of this machine.
   * @throws ServiceError `unavailable`
   */
  readonly time: () => Promise<number | null>
  /** Updates the statistics of the query planner, unless the database does so automatically. */
  updateStatistics(): Promise<void>
  close(): Promise<void>
}

/** Smaller if a transaction blocks all other writers, and smallest if it also blocks the event loop. */
const batchRows = { inThisThread: 200, inBackground: 500, rowLocks: 1_000 }

interface StoreOptions {
  readonly capabilities: Capabilities
  readonly transaction: Transact
  /** The connection for long reads. */
  readonly lists?: Db | undefined
  readonly batchRows: number
}

function storeOn(db: Db, options: StoreOptions): MetadataStore {
  const { capabilities, transaction, lists = db, batchRows } = options
  // Group commit runs several calls in one transaction.
  const stores = new WeakMap<Db, MetadataStore>()
  const storeIn = (inside: Db) => {
    const known = stores.get(inside)
    if (known !== undefined) return known
    const made = storeOn(inside, { capabilities, transaction: noTransaction, batchRows })
    stores.set(inside, made)
    return made
  }
  const on =
    <Result>(work: (store: MetadataStore) => Promise<Result>) =>
    (inside: Db) =>
      work(storeIn(inside))
  return {
    uploads: uploadQueries(db, capabilities, lists),
    uploadBatches: uploadBatchQueries(db, capabilities),
    removals: removalQueries(db, capabilities),
    files: fileQueries(db, capabilities, lists),
    downloads: downloadQueries(db, lists),
    aliases: aliasQueries(db, capabilities),
    claims: limitedClaimQueries(db),
    previews: previewQueries(db),
    requests: requestQueries(db, lists),
    resumables: resumableQueries(db, capabilities),
    instances: instanceQueries(db),
    users: userQueries(db, capabilities, lists),
    sessions: sessionQueries(db),
    tokens: tokenQueries(db),
    cliLogins: cliLoginQueries(db),
    webhooks: webhookQueries(db),
    notificationSettings: notificationSettingQueries(db, capabilities),
    events: eventQueries(db, lists),
    pushSubscriptions: pushSubscriptionQueries(db, capabilities),
    subscribers: subscriberQueries(lists),
    outbox: outboxQueries(db, capabilities, lists),
    attempts: attemptQueries(db, capabilities),
    budgets: budgetQueries(db, capabilities),
    dailyStats: dailyStatQueries(db, capabilities, lists),
    settings: settingQueries(db),
    totals: totalsQueries(db, capabilities),
    verification: verificationQueries(db, lists),
    batchRows,
    releaseFreePages: () => releaseFreePages(db, capabilities),
    truncateLog: () => truncateLog(db, capabilities),
    ping: async () => {
      await db.selectFrom('settings').select('key').limit(1).execute()
    },
    transaction: (work, options) => transaction(on(work), options),
  }
}

const noTransaction: Transact = () => Promise.reject(new Error('this is a transaction already'))

const transactionsOf = (db: Db, { rowLocks }: Capabilities, syncCommits: SyncCommits): Transact =>
  rowLocks
    ? (work) => retry(() => db.transaction().execute(work))
    : groupCommit(db, { syncCommits, totals: deferredTotals })

const reporting =
  (transact: Transact, onFailure: OnFailure): Transact =>
  async (work, options) => {
    try {
      return await transact(work, options)
    } catch (error) {
      onFailure(error)
      throw error
    }
  }

export interface OpenOptions {
  /** What happens to a database that lacks migrations. An empty one gets its tables in either case. */
  readonly missingMigrations?: 'apply' | 'refuse'
  /** Called with each failure of a transaction, after its retries. */
  readonly onFailure?: OnFailure
}

/**
 * Opens a database. Its schema is up to date afterwards.
 * @throws when the database cannot be opened or a migration fails. A failed migration is rolled back, except on MySQL,
 * which cannot roll back schema changes: the next start resumes it. With `refuse`, `CommandError` for a database that
 * lacks migrations.
 */
export async function openMetadataStore(
  dialect: MetadataDialect,
  { missingMigrations = 'apply', onFailure }: OpenOptions = {},
): Promise<OpenMetadataStore> {
  const { syncCommits } = dialect
  const plugins = syncCommits === undefined ? [] : [durablePlugin(syncCommits)]
  const db = new Kysely<Schema>({ dialect, plugins })
  if (dialect.runSynchronously !== undefined) enableSynchronous(db, dialect.runSynchronously)
  let capabilities: Capabilities
  try {
    capabilities = await dialect.capabilities(db)
    // Fails here, not in a migration, if the database cannot be opened.
    await runAll(db, ['select 1'])
    const isUsable = missingMigrations === 'refuse' && (await usableSchema(db, capabilities))
    if (!isUsable) {
      await migrate(db, capabilities)
      await syncCommits?.()
    }
  } catch (cause) {
    await db.destroy()
    if (cause instanceof CommandError) throw cause
    throw new Error('the metadata database could not be opened or migrated', { cause })
  }
  const lists = dialect.lists && new Kysely<Schema>({ dialect: dialect.lists })
  const background = dialect.background && new Kysely<Schema>({ dialect: dialect.background, plugins })
  const storeWith = (connection: Db, rows: number) => {
    const transact = transactionsOf(connection, capabilities, syncCommits)
    const transaction = onFailure === undefined ? transact : reporting(transact, onFailure)
    return storeOn(connection, { capabilities, transaction, lists, batchRows: rows })
  }
  const store = storeWith(db, capabilities.rowLocks ? batchRows.rowLocks : batchRows.inThisThread)
  return {
    ...store,
    background: background === undefined ? store : storeWith(background, batchRows.inBackground),
    ...(dialect.freeSpace && { freeSpace: dialect.freeSpace }),
    time: () => timeOf(db, dialect),
    updateStatistics: () => runAll(background ?? db, dialect.statistics.routine),
    close: async () => {
      // The main connection closes last: SQLite checkpoints and removes the log in the last connection, which must be able
      // to write.
      await lists?.destroy()
      await background?.destroy()
      await db.destroy()
    },
  }
}

export async function runAll(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
}

async function migrate(db: Kysely<Schema>, capabilities: Capabilities): Promise<void> {
  const migrations = migrationsFor(capabilities)
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const first = await migrator.migrateToLatest()
  // If a further query fails as well, the first error is reported, because it says more.
  const { error, results = [] } = isAboutNames(first.error)
    ? await renameMigrations(db).then(
        () => migrator.migrateToLatest(),
        () => first,
      )
    : first
  if (error === undefined) return
  const { refusal } = await migrationsOf(db, capabilities).catch(() => ({ refusal: null }))
  if (refusal !== null) throw new Error(`it ${refusal}`)
  const hasBegun = results.some(({ status }) => status === 'Error')
  if (!hasBegun && error instanceof Error) throw error
  throw new Error('a migration failed', { cause: error })
}

/** Whether the database has migrations whose names this program does not know. */
const isAboutNames = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('corrupted migrations')
