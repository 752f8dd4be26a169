import { sql } from 'kysely'
import type { FileRecord } from '../../domain/records.ts'
import { padKeys } from '../query/padded-keys.ts'
import { preparedQuery, type Db } from '../query/prepared.ts'

const list = preparedQuery<{ uploadId: string }, FileRecord>((db, value) =>
  db
    .selectFrom('files')
    .selectAll()
    .where('uploadId', '=', value('uploadId'))
    .orderBy('position')
    .orderBy('id'),
)

/** The number of files of the first query for an upload. Their names may have 4 KiB each in memory. */
export const firstBatch = 32

// A literal: with a parameter as its limit, this query takes three times as long on SQLite.
const first = preparedQuery<{ uploadId: string }, FileRecord>((db, value) =>
  db
    .selectFrom('files')
    .selectAll()
    .where('uploadId', '=', value('uploadId'))
    .orderBy('position')
    .orderBy('id')
    .limit(sql.lit(firstBatch + 1)),
)

const findNamed = preparedQuery<{ uploadId: string; fileName: string }, FileRecord>((db, value) =>
  db
    .selectFrom('files')
    .selectAll()
    .where('uploadId', '=', value('uploadId'))
    .where('fileName', '=', value('fileName'))
    .where('status', '=', 'uploaded')
    .orderBy('position')
    .orderBy('id'),
)

const lastPosition = preparedQuery<{ uploadId: string }, { last: number | null }>((db, value) =>
  db
    .selectFrom('files')
    .select((eb) => eb.fn.max<number | null>('position').as('last'))
    .where('uploadId', '=', value('uploadId')),
)

/** The column is a 32-bit integer, and an import may bring any. Equal positions are ordered by id. */
const maxPosition = 2 ** 31 - 1

export type FileLists = ReturnType<typeof fileListQueries>

/** Queries that read several files. All lists of files have the same order: the one in which the files were added. */
export function fileListQueries(db: Db, lists: Db) {
  return {
    list: async (uploadId: string): Promise<FileRecord[]> => (await list(db, { uploadId })).rows,

    /** The first files of an upload, in the order of `list`: at most one more than a batch. */
    first: async (uploadId: string): Promise<FileRecord[]> => (await first(db, { uploadId })).rows,

    /** The stored files of an upload with a name, in the order of `list`. */
    findNamed: async (uploadId: string, fileName: string): Promise<FileRecord[]> =>
      (await findNamed(db, { uploadId, fileName })).rows,

    /** The ids of the files of an upload, in the order of `list`. */
    async ids(uploadId: string): Promise<string[]> {
      const rows = await lists
        .selectFrom('files')
        .select('id')
        .where('uploadId', '=', uploadId)
        .orderBy('position')
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Some files of an upload, in the order of `list`. */
    listByIds: (uploadId: string, ids: readonly string[]): Promise<FileRecord[]> =>
      lists
        .selectFrom('files')
        .selectAll()
        .where('uploadId', '=', uploadId)
        .where('id', 'in', padKeys(ids))
        .orderBy('position')
        .orderBy('id')
        .execute(),

    /** The files of several uploads, in the order of `list`. */
    listOf: (uploadIds: readonly string[]): Promise<FileRecord[]> =>
      uploadIds.length === 0
        ? Promise.resolve([])
        : lists
            .selectFrom('files')
            .selectAll()
            .where('uploadId', 'in', uploadIds)
            .orderBy('uploadId')
            .orderBy('position')
            .orderBy('id')
            .execute(),

    /** The number of files by upload id. Uploads without files are left out. */
    countsOf: async (uploadIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      if (uploadIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('files')
        .select((eb) => ['uploadId', eb.fn.countAll().as('files')])
        .where('uploadId', 'in', uploadIds)
        .groupBy('uploadId')
        .execute()
      return new Map(rows.map(({ uploadId, files }) => [uploadId, Number(files)]))
    },

    /**
     * The position of the next file of an upload: after all that it has had, so that removals change no order. Runs in a
     * transaction that has locked the upload.
     */
    async nextPosition(uploadId: string): Promise<number> {
      const { last } = (await lastPosition(db, { uploadId })).rows[0] ?? {}
      return last === undefined || last === null ? 0 : Math.min(last + 1, maxPosition)
    },

    /** The number and the bytes of the stored files of an upload. */
    async countStored(uploadId: string): Promise<{ readonly files: number; readonly size: number }> {
      const { files, size } = await db
        .selectFrom('files')
        .select((eb) => [
          eb.fn.countAll().as('files'),
          eb.fn.sum<string | number | null>('fileSize').as('size'),
        ])
        .where('uploadId', '=', uploadId)
        .where('status', '=', 'uploaded')
        .executeTakeFirstOrThrow()
      return { files: Number(files), size: Number(size ?? 0) }
    },

    /** The numbers of files of an upload that have arrived, also of those removed since, and that may still arrive. */
    async countArrivals(uploadId: string): Promise<{ readonly arrived: number; readonly pending: number }> {
      const { arrived, pending } = await db
        .selectFrom('files')
        .select((eb) => [
          eb.fn.count<string | number>('uploadedAt').as('arrived'),
          eb.fn
            .sum<string | number | null>(
              eb.case().when('status', 'in', ['missing', 'uploading']).then(1).else(0).end(),
            )
            .as('pending'),
        ])
        .where('uploadId', '=', uploadId)
        .executeTakeFirstOrThrow()
      return { arrived: Number(arrived), pending: Number(pending ?? 0) }
    },
  }
}
