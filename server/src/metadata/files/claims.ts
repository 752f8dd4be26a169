import type { Bit, FileRecord } from '../../domain/records.ts'
import { updateFile, type FileKey } from './file-key.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'

/** Queries of the table `files` for one-shot files, which one download at a time claims. */
export function claimQueries(db: Db) {
  const where = (key: FileKey) => updateFile(db, key)
  return {
    /**
     * Claims a one-shot file for one download. A second call with the same claim succeeds as well.
     * @param expiredBefore ms; an unsealed claim of another download that expired by then is replaced
     * @param until ms; the claim expires then unless it is renewed
     */
    async claim(file: FileKey, claim: string, expiredBefore: number, until: number): Promise<boolean> {
      const query = where(file)
        .where('status', '=', 'uploaded')
        .where((eb) =>
          eb.or([
            eb('claim', 'is', null),
            eb('claim', '=', claim),
            eb.and([eb('claimUntil', '<=', expiredBefore), eb('sealed', '=', 0)]),
          ]),
        )
        .set({ claim, claimUntil: until, sealed: 0 })
      return hasChangedRows(await db.executeQuery(query))
    },

    async renewClaim(file: FileKey, claim: string, until: number): Promise<boolean> {
      const query = where(file).where('claim', '=', claim).set({ claimUntil: until })
      return hasChangedRows(await db.executeQuery(query))
    },

    /**
     * Seals a claim before the last bytes are sent: if it expires from now on, the file counts as downloaded.
     * @param until ms; the claim expires then unless it is renewed
     */
    async sealClaim(file: FileKey, claim: string, until: number): Promise<boolean> {
      const query = where(file)
        .where('claim', '=', claim)
        .where('status', '=', 'uploaded')
        .set({ claimUntil: until, sealed: 1 })
      return hasChangedRows(await db.executeQuery(query))
    },

    /** Files whose sealed claims have expired: it is unknown whether their last bytes arrived. */
    expiredSealedClaims: (
      now: number,
      limit: number,
    ): Promise<Pick<FileRecord, 'id' | 'uploadId' | 'fileSize' | 'claim'>[]> =>
      db
        .selectFrom('files')
        .select(['id', 'uploadId', 'fileSize', 'claim'])
        .where((eb) => eb('sealed', '=', eb.lit(1)))
        .where('claimUntil', '<=', now)
        .orderBy('claimUntil')
        .limit(limit)
        .execute(),

    /** uploaded → removed, by the download that holds the claim. */
    async consume(file: FileKey, claim: string): Promise<boolean> {
      const query = where(file)
        .where('claim', '=', claim)
        .where('status', '=', 'uploaded')
        .set((eb) => ({
          status: 'removed',
          claim: null,
          claimUntil: null,
          sealed: 0,
          downloads: eb('downloads', '+', 1),
        }))
      return hasChangedRows(await db.executeQuery(query))
    },

    /**
     * Releases a claim after a broken download.
     * @param counts 1 if the download received more than half of the file
     */
    async releaseClaim(file: FileKey, claim: string, counts: Bit): Promise<void> {
      await where(file)
        .where('claim', '=', claim)
        .set((eb) => ({
          claim: null,
          claimUntil: null,
          sealed: 0,
          brokenDownloads: eb('brokenDownloads', '+', counts),
        }))
        .execute()
    },
  }
}
