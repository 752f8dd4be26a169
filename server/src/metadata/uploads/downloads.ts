import type { DownloadRecord } from '../../domain/records.ts'
import { padKeys } from '../query/padded-keys.ts'
import { countRows, pageOf, type PageOf, type PageQuery } from '../query/page.ts'
import type { Db } from '../query/prepared.ts'
import { uploadOwnerQueries } from './upload-owners.ts'

/** The maximum number of rows of an insertion. */
const insertedRows = 64

/** A download with the owner of its upload. */
export interface OwnedDownload extends DownloadRecord {
  /** Null for an upload without an owner. */
  readonly userId: string | null
}

/** Queries of the table `downloads`: the newest downloads of each upload. */
export function downloadQueries(db: Db, lists: Db) {
  const owners = uploadOwnerQueries(db)
  const ofUpload = (uploadId: string) => db.selectFrom('downloads').where('uploadId', '=', uploadId)
  return {
    /**
     * Adds downloads, except those of removed uploads, whose rows may be gone.
     * @returns the added ones, with the owners of their uploads
     */
    async add(rows: readonly DownloadRecord[]): Promise<OwnedDownload[]> {
      const known = await owners.ownersOf(uploadsOf(rows))
      const added = rows.filter(({ uploadId }) => known.has(uploadId))
      for (let at = 0; at < added.length;) {
        // A power of two, so that the cache of prepared statements stays small.
        const length = 2 ** Math.floor(Math.log2(Math.min(insertedRows, added.length - at)))
        await db
          .insertInto('downloads')
          .values(added.slice(at, at + length))
          .execute()
        at += length
      }
      return added.map((row) => ({ ...row, userId: known.get(row.uploadId) ?? null }))
    },

    /** The first download of an upload that is known and did not break off. */
    first: (uploadId: string): Promise<Pick<DownloadRecord, 'id'> | undefined> =>
      ofUpload(uploadId)
        .select('id')
        .where('result', '<>', 'broken')
        .orderBy('endedAt')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst(),

    /**
     * Deletes all downloads of some uploads but the newest.
     * @param rows the rows of these uploads; the other columns do not matter
     * @param keep the number of downloads that each upload keeps
     */
    async trim(rows: readonly DownloadRecord[], keep: number): Promise<void> {
      const full = await db
        .selectFrom('downloads')
        .select('uploadId')
        .where('uploadId', 'in', padKeys(uploadsOf(rows)))
        .groupBy('uploadId')
        .having((eb) => eb.fn.countAll(), '>', keep)
        .execute()
      for (const { uploadId } of full) await trimUpload(uploadId, keep)
    },

    /** A page of the downloads of an upload, ordered by date. */
    async page(uploadId: string, query: PageQuery): Promise<PageOf<DownloadRecord>> {
      const rows = lists.selectFrom('downloads').where('uploadId', '=', uploadId)
      return pageOf(
        query,
        { sort: 'endedAt', id: 'id' },
        {
          rows: (applyPage) => applyPage(rows.selectAll()).execute(),
          count: (atMost) => countRows(lists, rows, 'downloads.id', atMost),
        },
      )
    },
  }

  async function trimUpload(uploadId: string, keep: number): Promise<void> {
    const oldest = await ofUpload(uploadId)
      .select(['endedAt', 'id'])
      .orderBy('endedAt', 'desc')
      .orderBy('id', 'desc')
      .offset(keep - 1)
      .limit(1)
      .executeTakeFirst()
    if (oldest === undefined) return
    const { endedAt, id } = oldest
    await db
      .deleteFrom('downloads')
      .where('uploadId', '=', uploadId)
      .where('endedAt', '<=', endedAt)
      .where((eb) => eb.or([eb('endedAt', '<', endedAt), eb('id', '<', id)]))
      .execute()
  }
}

const uploadsOf = (rows: readonly DownloadRecord[]): readonly string[] => [
  ...new Set(rows.map(({ uploadId }) => uploadId)),
]
