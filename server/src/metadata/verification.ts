import type { FileRecord } from '../domain/records.ts'
import { changed, type Db } from './prepared.ts'

/** What the database says about the data of a file. */
export interface FileClaim extends Pick<FileRecord, 'uploadId' | 'status' | 'fileSize' | 'md5' | 'crc32'> {
  /** Id of the file, which is the key of its data. */
  readonly key: string
  /** When its upload was removed, in milliseconds since the epoch. */
  readonly deletedAt: number | null
}

/** Queries that compare the database with the data store. */
export function verificationQueries(db: Db) {
  return {
    /** All files in the order of their ids' characters, the first `limit` after an id. */
    after: (id: string, limit: number): Promise<FileClaim[]> =>
      claimsIn(db).where('files.id', '>', id).orderBy('files.id').limit(limit).execute(),

    /** Those of some ids that are in the database. @param ids at most some hundred */
    of: async (ids: readonly string[]): Promise<ReadonlyMap<string, FileClaim>> => {
      const rows = await claimsIn(db).where('files.id', 'in', ids).execute()
      return new Map(rows.map((row) => [row.key, row]))
    },

    /** uploaded → removed, for a file whose data is lost or damaged. */
    lose: async (id: string): Promise<boolean> =>
      changed(
        await db.executeQuery(
          db
            .updateTable('files')
            .where('id', '=', id)
            .where('status', '=', 'uploaded')
            .set({ status: 'removed', claim: null, claimUntil: null, sealed: 0 }),
        ),
      ),
  }
}

const claimsIn = (db: Db) =>
  db
    .selectFrom('files')
    .innerJoin('uploads', 'uploads.id', 'files.uploadId')
    .select([
      'files.id as key',
      'files.uploadId',
      'files.status',
      'files.fileSize',
      'files.md5',
      'files.crc32',
    ])
    .select('uploads.deletedAt')
