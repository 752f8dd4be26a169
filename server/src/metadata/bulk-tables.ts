import { Kysely, sql, type InsertObject } from 'kysely'
import type { NotificationSettingsRecord, WebhookRecord } from '../domain/notification-records.ts'
import type {
  AliasRecord,
  DownloadRecord,
  FileRecord,
  PreviewRecord,
  RequestRecord,
  TokenRecord,
  UploadRecord,
  UserRecord,
} from '../domain/records.ts'
import { accountReads, type AccountReads } from './account-reads.ts'
import { countOwners } from './stats/count-usage.ts'
import type { DailyStat } from './stats/daily-stats.ts'
import type { MetadataDialect } from './dialects/dialect.ts'
import { isStarted } from './files/file-key.ts'
import { usersWithSettings, webhookCounts } from './notifications/bulk-rows.ts'
import { insertRows } from './query/insert-rows.ts'
import { knownRecords, type KnownRecords } from './known-records.ts'
import type { Db } from './query/prepared.ts'
import { knownAliases } from './uploads/bulk-aliases.ts'
import { knownDownloads } from './uploads/bulk-downloads.ts'
import { insertPreviews, knownPreviews } from './uploads/previews.ts'
import type { Schema } from './query/schema.ts'
import { recount, type Recount } from './stats/recount.ts'
import { hasFiles } from './stats/totals.ts'
import { openMetadataStore, runAll } from './store.ts'
import { tableReads, type TableReads } from './table-reads.ts'

/** A table to which an import adds rows. */
export interface TableWrites<Row> {
  /** The keys that are in the table. */
  readonly findKnown: (keys: readonly string[]) => Promise<ReadonlySet<string>>
  readonly insert: (rows: readonly Row[]) => Promise<void>
}

export interface UploadWrites extends TableWrites<UploadRecord> {
  /** Adds bytes to the size of an upload that is not removed. */
  readonly addSize: (id: string, bytes: number) => Promise<void>
}

/** A table without an index of all ids, such as those of missing files: rows are found among those of their uploads. */
export interface RowsOfUploadsWrites<Row> extends Omit<TableWrites<Row>, 'findKnown'> {
  readonly findKnown: (ids: readonly string[], uploadIds: readonly string[]) => Promise<ReadonlySet<string>>
}

export interface WebhookWrites extends TableWrites<WebhookRecord> {
  /** The numbers of webhooks of those of some users that have any. */
  readonly countsOf: (userIds: readonly string[]) => Promise<ReadonlyMap<string, number>>
}

export interface AllTableWrites {
  readonly users: TableWrites<UserRecord>
  readonly tokens: TableWrites<TokenRecord>
  readonly requests: TableWrites<RequestRecord>
  readonly uploads: UploadWrites
  readonly files: RowsOfUploadsWrites<FileRecord>
  /** Keys are ids of files. */
  readonly previews: TableWrites<PreviewRecord>
  /** Keys are aliases. */
  readonly aliases: TableWrites<AliasRecord>
  readonly downloads: RowsOfUploadsWrites<DownloadRecord>
  /** Keys are those of `dailyStatKey`. */
  readonly dailyStats: TableWrites<DailyStat>
  readonly webhooks: WebhookWrites
  /** Keys are ids of users. */
  readonly notificationSettings: TableWrites<NotificationSettingsRecord>
  /** Whether there is no user and no upload. Removed ones count, too. */
  isEmpty(): Promise<boolean>
  /**
   * Runs work that writes most of the rows of uploads and files, and checks their references. If the database can, indexes
   * and foreign keys are created after the work.
   */
  withoutIndexes(work: () => Promise<void>): Promise<void>
  /** Updates the statistics of the query planner, where the database needs that within a transaction. */
  updateStatistics(): Promise<void>
  /** Recomputes the used bytes of users, and the counters, from the uploads. */
  countOwners(): Promise<void>
}

/** The tables that an export contains, as a whole. */
export interface BulkTables {
  /** Reads from one snapshot of the database, while others continue to write. */
  snapshot<Result>(work: (tables: TableReads) => Promise<Result>): Promise<Result>
  /** The same, for the rows that belong to single accounts. */
  accountSnapshot<Result>(work: (rows: AccountReads) => Promise<Result>): Promise<Result>
  /**
   * Writes in one transaction. Other writers wait.
   * @param followed whether another transaction follows, so that statistics are updated after that one
   */
  transaction<Result>(
    work: (tables: AllTableWrites) => Promise<Result>,
    options?: { readonly followed: boolean },
  ): Promise<Result>
  /** Which records the database has. */
  readonly known: KnownRecords
  /** Whether there are files whose bytes should be in the data store. */
  hasFiles(): Promise<boolean>
  /** Corrects the stored counters while others write. */
  recount(): Promise<Recount>
  close(): Promise<void>
}

/**
 * Opens a database; an empty one gets its tables.
 * @throws when the database cannot be opened, and `CommandError` when it lacks migrations
 */
export async function openBulkTables(dialect: MetadataDialect): Promise<BulkTables> {
  const store = await openMetadataStore(dialect, { missingMigrations: 'refuse' })
  await store.close()
  const db = new Kysely<Schema>({ dialect })
  const snapshot = <Result>(work: (transaction: Db) => Promise<Result>) =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
  return {
    snapshot: (work) => snapshot((transaction) => work(tableReads(transaction))),
    accountSnapshot: (work) => snapshot((transaction) => work(accountReads(transaction))),
    transaction: async (work, { followed } = { followed: false }) => {
      const result = await db.transaction().execute((transaction) => work(tableWrites(transaction, dialect)))
      if (!followed) await runAll(db, dialect.statistics.afterBulk)
      return result
    },
    known: knownRecords(db),
    hasFiles: () => hasFiles(db),
    recount: () => recount(db),
    close: () => db.destroy(),
  }
}

/** The key of a counter of a day. */
export const dailyStatKey = ({ day, name }: Pick<DailyStat, 'day' | 'name'>): string => `${day} ${name}`

function tableWrites(
  db: Db,
  { bulkRemovals, jsonRows, statistics }: Pick<MetadataDialect, 'bulkRemovals' | 'jsonRows' | 'statistics'>,
): AllTableWrites {
  const inserterOf =
    <Table extends keyof Schema>(table: Table) =>
    (rows: readonly InsertObject<Schema, Table>[]) =>
      insertRows(db, { jsonRows }, table, rows)
  const known = knownRecords(db)
  return {
    users: { findKnown: known.users, insert: inserterOf('users') },
    tokens: { findKnown: known.tokens, insert: inserterOf('tokens') },
    requests: { findKnown: known.requests, insert: inserterOf('requests') },
    uploads: {
      findKnown: known.uploads,
      insert: inserterOf('uploads'),
      addSize: async (id, bytes) => {
        await db
          .updateTable('uploads')
          .set((eb) => ({ size: eb('size', '+', bytes) }))
          .where('id', '=', id)
          .where('deletedAt', 'is', null)
          .execute()
      },
    },
    files: {
      findKnown: async (ids, uploadIds) => {
        const files = db.selectFrom('files').select('id')
        const [started, siblings] = await Promise.all([
          files.where('id', 'in', ids).where(isStarted).execute(),
          files.where('uploadId', 'in', [...new Set(uploadIds)]).execute(),
        ])
        return idsIn([...started, ...siblings])
      },
      insert: inserterOf('files'),
    },
    previews: {
      findKnown: (fileIds) => knownPreviews(db, fileIds),
      insert: (rows) => insertPreviews(db, rows),
    },
    aliases: {
      findKnown: (keys) => knownAliases(db, keys),
      insert: inserterOf('aliases'),
    },
    downloads: {
      findKnown: (ids, uploadIds) => knownDownloads(db, ids, uploadIds),
      insert: inserterOf('downloads'),
    },
    dailyStats: {
      findKnown: async (keys) => {
        const days = new Set(keys.map((key) => key.slice(0, key.indexOf(' '))))
        const known = db.selectFrom('dailyFigures').select(['day', 'name'])
        return new Set((await known.where('day', 'in', [...days]).execute()).map(dailyStatKey))
      },
      insert: inserterOf('dailyFigures'),
    },
    webhooks: {
      findKnown: known.webhooks,
      countsOf: (userIds) => webhookCounts(db, userIds),
      insert: inserterOf('webhooks'),
    },
    notificationSettings: {
      findKnown: (ids) => usersWithSettings(db, ids),
      insert: inserterOf('notificationSettings'),
    },
    isEmpty: async () =>
      (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined &&
      (await db.selectFrom('uploads').select('id').limit(1).executeTakeFirst()) === undefined,
    withoutIndexes: (work) => (bulkRemovals === null ? work() : withoutIndexes(db, bulkRemovals, work)),
    updateStatistics: () => runAll(db, statistics.duringBulk),
    countOwners: () => countOwners(db),
  }
}

/** Creates the indexes after the work, because sorting an index once is faster than inserting each row. */
async function withoutIndexes(db: Db, query: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ removal: string; definition: string }>`${sql.raw(query)}`.execute(db)
  await runAll(
    db,
    rows.map(({ removal }) => removal),
  )
  await work()
  await runAll(
    db,
    rows.map(({ definition }) => definition),
  )
}

const idsIn = (rows: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(rows.map(({ id }) => id))
