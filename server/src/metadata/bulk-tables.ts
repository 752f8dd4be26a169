import { Kysely, sql, type ExpressionBuilder } from 'kysely'
import type { FileRecord, TokenRecord, UploadRecord, UserRecord } from '../domain/records.ts'
import { countOwners, countSizes } from './stats/count-usage.ts'
import type { DailyCounter } from './stats/daily-counters.ts'
import type { MetadataDialect } from './dialects/dialect.ts'
import { isBegun } from './files/file-key.ts'
import type { Db } from './query/prepared.ts'
import { removalTime } from './uploads/removals.ts'
import type { Schema } from './query/schema.ts'
import { recount, type Recount } from './stats/recount.ts'
import { openMetadataStore, runAll } from './store.ts'
import { uploadColumns } from './uploads/uploads.ts'

/** A table from its beginning to its end, some rows at a time, in the order of the keys. */
export type RowsAfter<Row> = (last: Row | undefined, limit: number) => Promise<Row[]>

export interface TableReads {
  readonly users: RowsAfter<UserRecord>
  readonly tokens: RowsAfter<TokenRecord>
  readonly uploads: RowsAfter<UploadRecord>
  /** In the order of their uploads. */
  readonly files: RowsAfter<FileRecord>
  readonly figures: RowsAfter<DailyCounter>
}

/** A table that rows are added to. */
export interface TableWrites<Row> {
  /** Those of some keys that are in the table. */
  readonly known: (keys: readonly string[]) => Promise<ReadonlySet<string>>
  readonly insert: (rows: readonly Row[]) => Promise<void>
}

/** Files are known by their ids; those that are missing only beside others of their uploads. */
export interface FileWrites extends Omit<TableWrites<FileRecord>, 'known'> {
  readonly known: (ids: readonly string[], uploadIds: readonly string[]) => Promise<ReadonlySet<string>>
}

export interface AllTableWrites {
  readonly users: TableWrites<UserRecord>
  readonly tokens: TableWrites<TokenRecord>
  readonly uploads: TableWrites<UploadRecord>
  readonly files: FileWrites
  /** Of days; their keys are as `figureKey` makes them. */
  readonly figures: TableWrites<DailyCounter>
  /** Whether there is neither a user nor an upload, removed ones included. */
  isEmpty(): Promise<boolean>
  /** Does work that writes most of the table of uploads, and makes its indexes afterwards, where that is possible. */
  withoutIndexes(work: () => Promise<void>): Promise<void>
  /** Works the sizes of uploads out from their files. */
  countSizes(): Promise<void>
  /** Works the used bytes of users, and the counters, out from the uploads. */
  countOwners(): Promise<void>
}

/** The tables that an export carries, as a whole. */
export interface BulkTables {
  /** Reads one state of the database from beginning to end, while others go on writing. */
  snapshot<Result>(work: (tables: TableReads) => Promise<Result>): Promise<Result>
  /** Writes all or nothing. Others who write have to wait. */
  transaction<Result>(work: (tables: AllTableWrites) => Promise<Result>): Promise<Result>
  /** Corrects the kept figures, beside others who write. */
  recount(): Promise<Recount>
  close(): Promise<void>
}

/**
 * Opens a database and brings its schema up to date.
 * @throws when the database cannot be opened or a migration fails
 */
export async function openBulkTables(dialect: MetadataDialect): Promise<BulkTables> {
  const store = await openMetadataStore(dialect)
  await store.close()
  const db = new Kysely<Schema>({ dialect })
  return {
    snapshot: (work) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((transaction) => work(tableReads(transaction))),
    transaction: async (work) => {
      const result = await db
        .transaction()
        .execute((transaction) => work(tableWrites(transaction, dialect.uploadIndexes)))
      await runAll(db, dialect.statistics.afterBulk)
      return result
    },
    recount: () => recount(db),
    close: () => db.destroy(),
  }
}

function tableReads(db: Db): TableReads {
  return {
    users: (last, limit) => {
      const rows = db
        .selectFrom('users')
        .selectAll()
        .where('removedAt', 'is', null)
        .orderBy('id')
        .limit(limit)
      return (last === undefined ? rows : rows.where('id', '>', last.id)).execute()
    },
    tokens: (last, limit) => {
      const rows = db.selectFrom('tokens').selectAll().orderBy('id').limit(limit)
      return (last === undefined ? rows : rows.where('id', '>', last.id)).execute()
    },
    uploads: (last, limit) => {
      const rows = uploadsAsSeen(db).where('erasedAt', 'is', null).orderBy('id').limit(limit)
      return (last === undefined ? rows : rows.where('id', '>', last.id)).execute()
    },
    files: (last, limit) => filesAfter(db, last, limit).execute(),
    figures: (last, limit) => figuresAfter(db, last, limit).execute(),
  }
}

/** As readers see them: what a mass removal has not reached yet is removed, and nobody's where its owner is gone. */
const uploadsAsSeen = (db: Db) =>
  db
    .selectFrom('uploads')
    .select(otherUploadColumns)
    .select((eb) => [
      removalTime(eb).as('deletedAt'),
      eb
        .selectFrom('users')
        .select('users.id')
        .whereRef('users.id', '=', 'uploads.userId')
        .where('users.removedAt', 'is', null)
        .as('userId'),
    ])

const otherUploadColumns = uploadColumns.filter((name) => name !== 'userId')

function filesAfter(db: Db, last: FileRecord | undefined, limit: number) {
  const rows = db
    .selectFrom('files')
    .selectAll()
    // Of uploads that are blanked, nothing is left to export.
    .where((eb) => eb.not(eb.exists(erasedUploadOf(eb))))
    .orderBy('uploadId')
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
  if (last === undefined) return rows
  const { uploadId, position, id } = last
  return (
    rows
      // The first condition says nothing new; it is the one that is looked up in an index.
      .where('uploadId', '>=', uploadId)
      .where((eb) =>
        eb.or([
          eb('uploadId', '>', uploadId),
          eb('position', '>', position),
          eb.and([eb('position', '=', position), eb('id', '>', id)]),
        ]),
      )
  )
}

const erasedUploadOf = (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb
    .selectFrom('uploads')
    .select('uploads.id')
    .whereRef('uploads.id', '=', 'files.uploadId')
    .where('uploads.erasedAt', 'is not', null)

function figuresAfter(db: Db, last: DailyCounter | undefined, limit: number) {
  const rows = db.selectFrom('dailyFigures').selectAll().orderBy('day').orderBy('name').limit(limit)
  if (last === undefined) return rows
  const { day, name } = last
  return rows.where('day', '>=', day).where((eb) => eb.or([eb('day', '>', day), eb('name', '>', name)]))
}

/** What names a figure of a day among all. */
export const figureKey = ({ day, name }: Pick<DailyCounter, 'day' | 'name'>): string => `${day} ${name}`

function tableWrites(db: Db, uploadIndexes: string | null): AllTableWrites {
  return {
    users: {
      known: async (keys) =>
        idsIn(await db.selectFrom('users').select('id').where('id', 'in', keys).execute()),
      insert: async (rows) => {
        await db.insertInto('users').values(rows).execute()
      },
    },
    tokens: {
      known: async (keys) =>
        idsIn(await db.selectFrom('tokens').select('id').where('id', 'in', keys).execute()),
      insert: async (rows) => {
        await db.insertInto('tokens').values(rows).execute()
      },
    },
    uploads: {
      known: async (keys) =>
        idsIn(await db.selectFrom('uploads').select('id').where('id', 'in', keys).execute()),
      insert: async (rows) => {
        await db.insertInto('uploads').values(rows).execute()
      },
    },
    files: {
      known: async (ids, uploadIds) => {
        const files = db.selectFrom('files').select('id')
        const [begun, beside] = await Promise.all([
          files.where('id', 'in', ids).where(isBegun).execute(),
          files.where('uploadId', 'in', [...new Set(uploadIds)]).execute(),
        ])
        return idsIn([...begun, ...beside])
      },
      insert: async (rows) => {
        await db.insertInto('files').values(rows).execute()
      },
    },
    figures: {
      known: async (keys) => {
        const days = new Set(keys.map((key) => key.slice(0, key.indexOf(' '))))
        const known = db.selectFrom('dailyFigures').select(['day', 'name'])
        return new Set((await known.where('day', 'in', [...days]).execute()).map(figureKey))
      },
      insert: async (rows) => {
        await db.insertInto('dailyFigures').values(rows).execute()
      },
    },
    isEmpty: async () =>
      (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined &&
      (await db.selectFrom('uploads').select('id').limit(1).executeTakeFirst()) === undefined,
    withoutIndexes: (work) => (uploadIndexes === null ? work() : withoutIndexes(db, uploadIndexes, work)),
    countSizes: () => countSizes(db),
    countOwners: () => countOwners(db),
  }
}

/** To sort an index once is quicker than to find a place in it for each row. */
async function withoutIndexes(db: Db, query: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`${sql.raw(query)}`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db)
  await work()
  await runAll(
    db,
    rows.map(({ definition }) => definition),
  )
}

const idsIn = (rows: readonly { readonly id: string }[]): ReadonlySet<string> =>
  new Set(rows.map(({ id }) => id))
