import type { FileRecord } from '../../domain/records.ts'
import { isBegun, updateFile, type FileKey } from './file-key.ts'
import { padded } from '../query/padded-keys.ts'
import { changed, type Db } from '../query/prepared.ts'

/** What the database says about the data of a file. */
export interface FileClaim extends Pick<FileRecord, 'uploadId' | 'status' | 'fileSize' | 'md5' | 'crc32'> {
  /** Id of the file, which is the key of its data. */
  readonly key: string
  /** When its upload was removed, in milliseconds since the epoch. */
  readonly deletedAt: number | null
}

/**
 * Queries that compare the database with the data store.
 * @param lists where reads run that take long
 */
export function verificationQueries(db: Db, lists: Db) {
  const begun = (ids: readonly string[]) =>
    claimsIn(db).where(isBegun).where('files.id', 'in', padded(ids)).execute()
  // Where no index has missing files, this reads all files: few ids come here, as bytes of a missing file are rare.
  const missing = (ids: readonly string[]) =>
    claimsIn(lists).where('files.status', '=', 'missing').where('files.id', 'in', padded(ids)).execute()
  return {
    /** Files that are not missing in the order of their ids' characters, the first `limit` after an id. */
    after: (id: string, limit: number): Promise<FileClaim[]> =>
      claimsIn(db).where(isBegun).where('files.id', '>', id).orderBy('files.id').limit(limit).execute(),

    /** Those of some ids that are in the database, missing ones too. @param ids at most some hundred */
    of: async (ids: readonly string[]): Promise<ReadonlyMap<string, FileClaim>> => {
      const known = new Map<string, FileClaim>()
      // Twice, as a missing file may be begun while it is looked for.
      for (const look of [begun, missing, begun]) {
        const others = ids.filter((id) => !known.has(id))
        if (others.length === 0) break
        for (const row of await look(others)) known.set(row.key, row)
      }
      return known
    },

    /** uploaded → removed, for a file whose data is lost or damaged. */
    lose: async (file: FileKey): Promise<boolean> =>
      changed(
        await db.executeQuery(
          updateFile(db, file)
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
