import type { PageOf, PageQuery } from '../query/page.ts'
import { preparedQuery, hasChangedRows, type Db } from '../query/prepared.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { isMarked, removalTime } from './removals.ts'
import { uploadOwnerQueries } from './upload-owners.ts'
import { uploadPlaceQueries } from './upload-places.ts'
import { uploadStateQueries } from './upload-states.ts'
import type { DueUpload } from './upload-retention.ts'
import { uploadKeyPage, uploadsWithIds, type UploadFilter, type UploadSort } from './upload-listing.ts'
import type { UploadRecord } from '../../domain/records.ts'

type Id = Pick<UploadRecord, 'id'>

/** All columns except `deletedAt`, which queries compute, because a mass removal may not have changed the row yet. */
export const uploadColumns = [
  'id',
  'tokenHash',
  'ttl',
  'extendTtl',
  'oneShot',
  'maxDownloads',
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
  'requestId',
  'requestTokenHash',
  'sender',
  'maxFileSize',
  'placeUntil',
] as const satisfies readonly (keyof UploadRecord)[]

const find = preparedQuery<Id, UploadRecord>((db, value) =>
  db
    .selectFrom('uploads')
    .select(uploadColumns)
    .select((eb) => removalTime(eb).as('deletedAt'))
    .where('id', '=', value('id')),
)

const insert = preparedQuery<UploadRecord, unknown>((db, value) =>
  db.insertInto('uploads').values({
    id: value('id'),
    tokenHash: value('tokenHash'),
    ttl: value('ttl'),
    extendTtl: value('extendTtl'),
    oneShot: value('oneShot'),
    maxDownloads: value('maxDownloads'),
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
    requestId: value('requestId'),
    requestTokenHash: value('requestTokenHash'),
    sender: value('sender'),
    maxFileSize: value('maxFileSize'),
    placeUntil: value('placeUntil'),
  }),
)

const countFile = preparedQuery<Id & { max: number; maxRows: number }, unknown>((db, value) =>
  db
    .updateTable('uploads')
    .set((eb) => ({ fileCount: eb('fileCount', '+', 1) }))
    .where('id', '=', value('id'))
    .where('fileCount', '<', value('max'))
    .where((eb) => {
      const rows = eb.selectFrom('files').select(eb.fn.countAll<number>().as('rows'))
      return eb(rows.where('files.uploadId', '=', value('id')), '<', value('maxRows'))
    })
    .where('deletedAt', 'is', null)
    .where((eb) => eb.not(isMarked(eb))),
)

const addSize = preparedQuery<Id & { bytes: number }, unknown>((db, value) =>
  db
    .updateTable('uploads')
    .set((eb) => ({ size: eb('size', '+', value('bytes')) }))
    .where('id', '=', value('id')),
)

/** Queries of the table `uploads`. */
export function uploadQueries(db: Db, capabilities: Capabilities, lists: Db) {
  return {
    ...uploadOwnerQueries(db),
    ...uploadPlaceQueries(db),
    ...uploadStateQueries(lists),

    insert: async (row: UploadRecord): Promise<void> => {
      await insert(db, row)
    },

    /** The row, even if the upload is removed or expired. */
    find: async (id: string): Promise<UploadRecord | undefined> => (await find(db, { id })).rows[0],

    /**
     * Counts one more file, unless the upload has `max` files, has had twice as many, or is removed. Files that were removed
     * or did not arrive stay in the list of the upload, so their number is limited, too.
     */
    countFile: async (id: string, max: number): Promise<boolean> =>
      hasChangedRows(await countFile(db, { id, max, maxRows: 2 * max })),

    /**
     * Counts one file less.
     * @param bytes stored bytes of the file
     */
    async uncountFile(id: string, bytes = 0): Promise<void> {
      await db
        .updateTable('uploads')
        .set((eb) => ({ fileCount: eb('fileCount', '-', 1), size: eb('size', '-', bytes) }))
        .where('id', '=', id)
        .execute()
    },

    /** Locks an upload until the transaction ends. */
    lock: async (id: string): Promise<void> => {
      await addSize(db, { id, bytes: 0 })
    },

    /**
     * Adds to the stored bytes.
     * @param bytes negative when files are removed
     */
    async addSize(id: string, bytes: number): Promise<void> {
      await addSize(db, { id, bytes })
    },

    /**
     * Sets the stored bytes to 0.
     * @returns the bytes stored before
     */
    async resetSize(id: string): Promise<number> {
      const { size } = await db
        .selectFrom('uploads')
        .select('size')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (size > 0) await db.updateTable('uploads').set({ size: 0 }).where('id', '=', id).execute()
      return size
    },

    /** A page of the uploads that are neither removed nor expired. */
    async page(
      filter: UploadFilter,
      sort: UploadSort,
      query: PageQuery,
      now: number,
    ): Promise<PageOf<UploadRecord>> {
      const page = await uploadKeyPage(lists, capabilities, filter, sort, query, now)
      const ids = page.results.map(({ id }) => id)
      return { ...page, results: await uploadsWithIds(lists, ids, now) }
    },

    /** The same with only the keys of the uploads. */
    keyPage: (filter: UploadFilter, sort: UploadSort, query: PageQuery, now: number) =>
      uploadKeyPage(lists, capabilities, filter, sort, query, now),

    /** The uploads with these ids that are neither removed nor expired, in the order of the ids. */
    withIds: (ids: readonly string[], now: number) => uploadsWithIds(lists, ids, now),

    /** Ids of the first `limit` uploads of a user that are not removed. */
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

    /**
     * Moves the expiry to a later time; an earlier one changes nothing.
     * @param expireAt ms
     */
    async extend(id: string, expireAt: number): Promise<void> {
      await db
        .updateTable('uploads')
        .set({ expireAt })
        .where('id', '=', id)
        .where('expireAt', '<', expireAt)
        .execute()
    },

    /**
     * Marks an upload as removed. The key is the only condition: MariaDB might look up another one in an index, and lock other
     * uploads there.
     */
    async remove(id: string, now: number): Promise<void> {
      await db.updateTable('uploads').set({ deletedAt: now, placeUntil: null }).where('id', '=', id).execute()
    },

    /**
     * The first `limit` uploads that expired before a time.
     * @param from the expiry of an earlier result: PostgreSQL keeps index entries of removed uploads, and need not read the
     * earlier ones again
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
  }
}
