import { prepared, changed, type Db } from './prepared.ts'
import type { UploadRecord } from '../domain/records.ts'

type Id = Pick<UploadRecord, 'id'>

const find = prepared<Id, UploadRecord>((db, value) =>
  db.selectFrom('uploads').selectAll().where('id', '=', value('id')),
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
    address: value('address'),
    fileCount: value('fileCount'),
    createdAt: value('createdAt'),
    expireAt: value('expireAt'),
    deletedAt: value('deletedAt'),
  }),
)

const takePlace = prepared<Id & { max: number }, unknown>((db, value) =>
  db
    .updateTable('uploads')
    .set((eb) => ({ fileCount: eb('fileCount', '+', 1) }))
    .where('id', '=', value('id'))
    .where('fileCount', '<', value('max'))
    .where('deletedAt', 'is', null),
)

/** Queries of the table `uploads`. */
export function uploadQueries(db: Db) {
  return {
    insert: async (row: UploadRecord): Promise<void> => {
      await insert(db, row)
    },

    /** The row, whether it is removed or past its end or not. */
    find: async (id: string): Promise<UploadRecord | undefined> => (await find(db, { id })).rows[0],

    /** Counts one more file, unless the upload has `max` of them or is removed. */
    takePlace: async (id: string, max: number): Promise<boolean> => changed(await takePlace(db, { id, max })),

    /** Counts one file less. */
    async givePlace(id: string): Promise<void> {
      await db
        .updateTable('uploads')
        .set((eb) => ({ fileCount: eb('fileCount', '-', 1) }))
        .where('id', '=', id)
        .execute()
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

    /** Marks an upload removed. @returns false when it was already */
    async remove(id: string, now: number): Promise<boolean> {
      const result = await db
        .updateTable('uploads')
        .set({ deletedAt: now })
        .where('id', '=', id)
        .where('deletedAt', 'is', null)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    /** Marks an upload removed if it is past its end still: a download may have moved the end meanwhile. */
    async removeExpired(id: string, now: number): Promise<boolean> {
      const result = await db
        .updateTable('uploads')
        .set({ deletedAt: now })
        .where('id', '=', id)
        .where('deletedAt', 'is', null)
        .where('expireAt', '<=', now)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    /** Ids of uploads that ended before a time, the first `limit` of them. */
    async expired(now: number, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('uploads')
        .select('id')
        .where('deletedAt', 'is', null)
        .where('expireAt', '<=', now)
        .orderBy('expireAt')
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },
  }
}
