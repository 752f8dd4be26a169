import type { FileRecord } from '../../domain/records.ts'
import { isStarted, updateFile, type FileKey } from './file-key.ts'
import { padKeys } from '../query/padded-keys.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'

/** The data of a file as the database records it. */
export interface ExpectedFile extends Pick<FileRecord, 'uploadId' | 'status' | 'fileSize' | 'md5' | 'crc32'> {
  /** The id of the file, under which its data is stored. */
  readonly key: string
  /** When its upload was removed, in milliseconds since the epoch. */
  readonly deletedAt: number | null
}

/**
 * Queries that compare the database with the data store.
 * @param lists the connection for long reads
 */
export function verificationQueries(db: Db, lists: Db) {
  const findStarted = (ids: readonly string[]) =>
    expectedFiles(db).where(isStarted).where('files.id', 'in', padKeys(ids)).execute()
  // Scans the table, because missing files have no index. This is rare: few files without a started upload have bytes.
  const findMissing = (ids: readonly string[]) =>
    expectedFiles(lists).where('files.status', '=', 'missing').where('files.id', 'in', padKeys(ids)).execute()
  return {
    /** The first `limit` files after an id whose upload has started, ordered by the code points of their ids. */
    after: (id: string, limit: number): Promise<ExpectedFile[]> =>
      expectedFiles(db)
        .where(isStarted)
        .where('files.id', '>', id)
        .orderBy('files.id')
        .limit(limit)
        .execute(),

    /**
     * The files with these ids, including missing ones.
     * @param ids at most a few hundred
     */
    of: async (ids: readonly string[]): Promise<ReadonlyMap<string, ExpectedFile>> => {
      const known = new Map<string, ExpectedFile>()
      // The first query runs again, because the upload of a missing file may start between the two.
      for (const query of [findStarted, findMissing, findStarted]) {
        const others = ids.filter((id) => !known.has(id))
        if (others.length === 0) break
        for (const row of await query(others)) known.set(row.key, row)
      }
      return known
    },

    /** uploaded → removed, for a file whose data is lost or damaged. */
    markLost: async (file: FileKey): Promise<boolean> =>
      hasChangedRows(
        await db.executeQuery(
          updateFile(db, file)
            .where('status', '=', 'uploaded')
            .set({ status: 'removed', claim: null, claimUntil: null, sealed: 0 }),
        ),
      ),
  }
}

const expectedFiles = (db: Db) =>
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
