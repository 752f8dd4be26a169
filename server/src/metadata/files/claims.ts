import type { Bit, FileRecord } from '../../domain/records.ts'
import { updateFile, type FileKey } from './file-key.ts'
import { changed, type Db } from '../query/prepared.ts'

/** Queries of the table `files` for one-shot files, which one download at a time claims. */
export function claimQueries(db: Db) {
  const where = (key: FileKey) => updateFile(db, key)
  return {
    /**
     * Takes a one-shot file for one download, which may ask twice.
     * @param lapsedAt ms; a claim of another that was not renewed until then counts for nothing
     * @param until ms; the claim lapses then unless it is renewed
     */
    async claim(file: FileKey, claim: string, lapsedAt: number, until: number): Promise<boolean> {
      const query = where(file)
        .where('status', '=', 'uploaded')
        .where((eb) =>
          eb.or([
            eb('claim', 'is', null),
            eb('claim', '=', claim),
            eb.and([eb('claimUntil', '<=', lapsedAt), eb('sealed', '=', 0)]),
          ]),
        )
        .set({ claim, claimUntil: until, sealed: 0 })
      return changed(await db.executeQuery(query))
    },

    async renewClaim(file: FileKey, claim: string, until: number): Promise<boolean> {
      const query = where(file).where('claim', '=', claim).set({ claimUntil: until })
      return changed(await db.executeQuery(query))
    },

    /**
     * Makes a claim final, before the last bytes are sent: when it lapses now, the file counts as downloaded.
     * @param until ms; it lapses then unless it is renewed
     */
    async seal(file: FileKey, claim: string, until: number): Promise<boolean> {
      const query = where(file)
        .where('claim', '=', claim)
        .where('status', '=', 'uploaded')
        .set({ claimUntil: until, sealed: 1 })
      return changed(await db.executeQuery(query))
    },

    /** Files whose sealed claims have lapsed: their servers ended before they knew whether the last bytes arrived. */
    lapsedSeals: (
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
        .set({ status: 'removed', claim: null, claimUntil: null, sealed: 0 })
      return changed(await db.executeQuery(query))
    },

    /** Gives a claim back after a broken download. @param counts whether it got more than half */
    async release(file: FileKey, claim: string, counts: Bit): Promise<void> {
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
