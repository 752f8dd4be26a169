import type { PageQuery } from '../query/page.ts'
import { prepared, changed, type Db } from '../query/prepared.ts'
import { isMarked, removalTime } from './removals.ts'
import type { DueUpload } from './upload-batches.ts'
import { uploadPage, type UploadFilter, type UploadSort } from './upload-listing.ts'
import type { UploadRecord } from '../../domain/records.ts'

type Id = Pick<UploadRecord, 'id'>

/** All columns but `deletedAt`, which is read as of now: a mass removal may not have reached the row yet. */
export const uploadColumns = [
  'id',
  'tokenHash',
  'ttl',
  'extendTtl',
  'oneShot',
  'removable',
  'stream',
  'login',
  'passwordHash',
  'comments',
  'e2ee',
  'options',
  'address',
  'fileCount',
  'size',
  'userId',
  'userToken',
  'createdAt',
  'expireAt',
  'generation',
  'erasedAt',
] as const satisfies readonly (keyof UploadRecord)[]

const find = prepared<Id, UploadRecord>((db, value) =>
  db
    .selectFrom('uploads')
    .select(uploadColumns)
    .select((eb) => removalTime(eb).as('deletedAt'))
    .where('id', '=', value('id')),
)

const insert = prepared<UploadRecord, unknown>((db, value) =>
  db.insertInto('uploads').values({
    id: value('id'),
    tokenHash: value('tokenHash'),
    ttl: value('ttl'),
    extendTtl: value('extendTtl'),
    oneShot: value('oneShot'),
    removable: value('removable'),
    stream: value('stream'),
    login: value('login'),
    passwordHash: value('passwordHash'),
    comments: value('comments'),
    e2ee: value('e2ee'),
    options: value('options'),
    address: value('address'),
    fileCount: value('fileCount'),
    size: value('size'),
    userId: value('userId'),
    userToken: value('userToken'),
    createdAt: value('createdAt'),
    expireAt: value('expireAt'),
    deletedAt: value('deletedAt'),
    generation: value('generation'),
    erasedAt: value('erasedAt'),
  }),
)

const takePlace = prepared<Id & { max: number }, unknown>((db, value) =>
  db
    .updateTable('uploads')
    .set((eb) => ({ fileCount: eb('fileCount', '+', 1) }))
    .where('id', '=', value('id'))
    .where('fileCount', '<', value('max'))
    .where('deletedAt', 'is', null)
    .where((eb) => eb.not(isMarked(eb))),
)

const grow = prepared<Id & { bytes: number }, unknown>((db, value) =>
  db
    .updateTable('uploads')
    .set((eb) => ({ size: eb('size', '+', value('bytes')) }))
    .where('id', '=', value('id')),
)

/** Queries of the table `uploads`. */
export function uploadQueries(db: Db, lists: Db) {
  return {
    insert: async (row: UploadRecord): Promise<void> => {
      await insert(db, row)
    },

    /** The row, whether it is removed or past its end or not. */
    find: async (id: string): Promise<UploadRecord | undefined> => (await find(db, { id })).rows[0],

    /** Counts one more file, unless the upload has `max` of them or is removed. */
    takePlace: async (id: string, max: number): Promise<boolean> => changed(await takePlace(db, { id, max })),

    /** Counts one file less. @param bytes that it had stored */
    async givePlace(id: string, bytes = 0): Promise<void> {
      await db
        .updateTable('uploads')
        .set((eb) => ({ fileCount: eb('fileCount', '-', 1), size: eb('size', '-', bytes) }))
        .where('id', '=', id)
        .execute()
    },

    /** Keeps other transactions from changing the upload until this one ends. */
    lock: async (id: string): Promise<void> => {
      await grow(db, { id, bytes: 0 })
    },

    /** Counts bytes as stored. @param bytes may be negative, when files are removed */
    async grow(id: string, bytes: number): Promise<void> {
      await grow(db, { id, bytes })
    },

    /** Counts nothing as stored any more. @returns bytes that were */
    async emptied(id: string): Promise<number> {
      const { size } = await db
        .selectFrom('uploads')
        .select('size')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (size > 0) await db.updateTable('uploads').set({ size: 0 }).where('id', '=', id).execute()
      return size
    },

    /** A page of the uploads that are not over. */
    page: (filter: UploadFilter, sort: UploadSort, query: PageQuery, now: number) =>
      uploadPage(lists, filter, sort, query, now),

    /** Ids of uploads of a user that are not removed, the first `limit` of them. */
    async idsOf(userId: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('uploads')
        .select('id')
        .where('userId', '=', userId)
        .where('deletedAt', 'is', null)
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },

    /** Moves the end to a later time; an earlier one changes nothing. @param expireAt ms */
    async extend(id: string, expireAt: number): Promise<void> {
      await db
        .updateTable('uploads')
        .set({ expireAt: expireAt })
        .where('id', '=', id)
        .where('expireAt', '<', expireAt)
        .execute()
    },

    /**
     * Marks an upload removed. The key alone says which, as another condition could be looked up in an index: MariaDB
     * would lock other uploads on its way there.
     */
    async remove(id: string, now: number): Promise<void> {
      await db.updateTable('uploads').set({ deletedAt: now }).where('id', '=', id).execute()
    },

    /**
     * Uploads that ended before a time, the first `limit` of them. @param from the end of one that was there before: what
     * has been removed since leaves PostgreSQL entries in the index that need not be read again
     */
    expired: (now: number, limit: number, from = 0): Promise<(DueUpload & { expireAt: number | null })[]> =>
      db
        .selectFrom('uploads')
        .select(['id', 'fileCount', 'expireAt'])
        .where('deletedAt', 'is', null)
        .where('expireAt', '<=', now)
        .where('expireAt', '>=', from)
        .orderBy('expireAt')
        .limit(limit)
        .execute(),

    /** Whose an upload is and whether it is a stream, whether it is removed or not. */
    owner: async (id: string): Promise<Pick<UploadRecord, 'id' | 'userId' | 'stream' | 'deletedAt'>> =>
      db
        .selectFrom('uploads')
        .select(['id', 'userId', 'stream'])
        .select((eb) => removalTime(eb).as('deletedAt'))
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
  }
}
