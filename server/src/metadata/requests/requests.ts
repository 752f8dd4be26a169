import type { RequestRecord } from '../../domain/records.ts'
import { countRows, pageOf, type PageOf, type PageQuery } from '../query/page.ts'
import { hasChangedRows, preparedQuery, type Db } from '../query/prepared.ts'

type Id = Pick<RequestRecord, 'id'>

/** The columns that the owner of a request can change. */
export type RequestChanges = Partial<
  Omit<
    RequestRecord,
    'id' | 'userId' | 'tokenHash' | 'createdAt' | 'recipient' | 'uploads' | 'files' | 'size'
  >
>

/** A change of the counters of a request. */
export interface RequestUsage {
  readonly uploads: number
  readonly files: number
  /** Bytes. */
  readonly size: number
}

const find = preparedQuery<Id, RequestRecord>((db, value) =>
  db.selectFrom('requests').selectAll().where('id', '=', value('id')).where('removedAt', 'is', null),
)

const reserveUpload = preparedQuery<Id & { files: number; now: number }, unknown>((db, value) =>
  db
    .updateTable('requests')
    .set((eb) => ({ uploads: eb('uploads', '+', 1), files: eb('files', '+', value('files')) }))
    .where('id', '=', value('id'))
    .where('removedAt', 'is', null)
    .where('closedAt', 'is', null)
    .where((eb) => eb.or([eb('expireAt', 'is', null), eb('expireAt', '>', value('now'))]))
    .where((eb) => eb.or([eb('oneSender', '=', 0), eb('uploads', '=', 0)]))
    .where((eb) =>
      eb.or([eb('maxFiles', '<', 0), eb(eb('files', '+', value('files')), '<=', eb.ref('maxFiles'))]),
    ),
)

const reserveFile = preparedQuery<Id & { now: number }, unknown>((db, value) =>
  db
    .updateTable('requests')
    .set((eb) => ({ files: eb('files', '+', 1) }))
    .where('id', '=', value('id'))
    .where('removedAt', 'is', null)
    .where('closedAt', 'is', null)
    .where((eb) => eb.or([eb('expireAt', 'is', null), eb('expireAt', '>', value('now'))]))
    .where((eb) => eb.or([eb('maxFiles', '<', 0), eb('files', '<', eb.ref('maxFiles'))])),
)

const reserveSize = preparedQuery<Id & { bytes: number }, unknown>((db, value) =>
  db
    .updateTable('requests')
    .set((eb) => ({ size: eb('size', '+', value('bytes')) }))
    .where('id', '=', value('id'))
    .where('removedAt', 'is', null)
    .where((eb) =>
      eb.or([eb('maxSize', '<', 0), eb(eb('size', '+', value('bytes')), '<=', eb.ref('maxSize'))]),
    ),
)

const addUsage = preparedQuery<Id & RequestUsage, unknown>((db, value) =>
  db
    .updateTable('requests')
    .set((eb) => ({
      uploads: eb('uploads', '+', value('uploads')),
      files: eb('files', '+', value('files')),
      size: eb('size', '+', value('size')),
    }))
    .where('id', '=', value('id')),
)

/** Queries of the table `requests`. Limits are conditions of the update that counts, so that parallel senders cannot exceed them. */
export function requestQueries(db: Db, lists: Db) {
  return {
    async insert(row: RequestRecord): Promise<void> {
      await db.insertInto('requests').values(row).execute()
    },

    /** The row, unless the request is removed. */
    find: async (id: string): Promise<RequestRecord | undefined> => (await find(db, { id })).rows[0],

    /** @returns false when the request is removed */
    async update(id: string, changes: RequestChanges): Promise<boolean> {
      const query = db
        .updateTable('requests')
        .set(changes)
        .where('id', '=', id)
        .where('removedAt', 'is', null)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** Sets the number of uploads that the owner has seen. */
    async see(id: string): Promise<void> {
      await db
        .updateTable('requests')
        .set((eb) => ({ seen: eb.ref('uploads') }))
        .where('id', '=', id)
        .execute()
    },

    /**
     * A page of the requests of a user, or of all, ordered by date.
     * @param userId undefined for those of all users and guests
     */
    async page(userId: string | undefined, query: PageQuery): Promise<PageOf<RequestRecord>> {
      const all = lists.selectFrom('requests').where('removedAt', 'is', null)
      const rows = userId === undefined ? all : all.where('userId', '=', userId)
      return pageOf(
        query,
        { sort: 'createdAt', id: 'id' },
        {
          rows: (applyPage) => applyPage(rows.selectAll()).execute(),
          count: (atMost) => countRows(lists, rows, 'requests.id', atMost),
        },
      )
    },

    /** The number of requests of a user. */
    count: (userId: string): Promise<number> =>
      countRows(
        db,
        db.selectFrom('requests').where('userId', '=', userId).where('removedAt', 'is', null),
        'requests.id',
        undefined,
      ),

    /** Counts a new upload with its declared files, unless the request is closed, expired, removed or full. */
    reserveUpload: async (id: string, files: number, now: number): Promise<boolean> =>
      hasChangedRows(await reserveUpload(db, { id, files, now })),

    /** Counts one more file of an upload, on the same conditions. */
    reserveFile: async (id: string, now: number): Promise<boolean> =>
      hasChangedRows(await reserveFile(db, { id, now })),

    /** Counts bytes, unless the request is removed or full. A closed request still receives the files that it has counted. */
    reserveSize: async (id: string, bytes: number): Promise<boolean> =>
      hasChangedRows(await reserveSize(db, { id, bytes })),

    /** Changes the counters regardless of the limits, such as when a file did not arrive. */
    async addUsage(id: string, { uploads = 0, files = 0, size = 0 }: Partial<RequestUsage>): Promise<void> {
      await addUsage(db, { id, uploads, files, size })
    },

    /**
     * Hides a request until its uploads are removed.
     * @returns false when it was removed before
     */
    async markRemoved(id: string, now: number): Promise<boolean> {
      const query = db
        .updateTable('requests')
        .set({ removedAt: now })
        .where('id', '=', id)
        .where('removedAt', 'is', null)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** The first `limit` removed requests. */
    findRemoved: (limit: number): Promise<Id[]> =>
      db
        .selectFrom('requests')
        .select('id')
        .where('removedAt', 'is not', null)
        .orderBy('removedAt')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** The first `limit` uploads of a request that are not removed. */
    uploadsOf: (id: string, limit: number): Promise<{ readonly id: string; readonly fileCount: number }[]> =>
      db
        .selectFrom('uploads')
        .select(['id', 'fileCount'])
        .where('requestId', '=', id)
        .where('deletedAt', 'is', null)
        .orderBy('createdAt')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /**
     * The first `limit` requests that expired before a time and have no upload left.
     * @param until ms
     */
    purgeable: async (until: number, limit: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('requests')
        .select('id')
        .where('expireAt', '<=', until)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('uploads')
                .select('uploads.id')
                .whereRef('uploads.requestId', '=', 'requests.id')
                .where('uploads.deletedAt', 'is', null),
            ),
          ),
        )
        .orderBy('expireAt')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Deletes the row of a request. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('requests').where('id', '=', id).execute()
    },
  }
}
