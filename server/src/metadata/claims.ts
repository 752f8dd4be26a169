import { changed, type Db } from './prepared.ts'
import type { Bit } from '../domain/records.ts'

/** Queries of the table `files` for one-shot files, which one download at a time claims. */
export function claimQueries(db: Db) {
  const where = (id: string) => db.updateTable('files').where('id', '=', id)
  return {
    /**
     * Takes a one-shot file for one download, which may ask twice.
     * @param until ms; the claim lapses then unless it is renewed
     */
    async claim(id: string, claim: string, now: number, until: number): Promise<boolean> {
      const query = where(id)
        .where('status', '=', 'uploaded')
        .where((eb) => eb.or([eb('claim', 'is', null), eb('claim', '=', claim), eb('claimUntil', '<=', now)]))
        .set({ claim, claimUntil: until })
      return changed(await db.executeQuery(query))
    },

    async renewClaim(id: string, claim: string, until: number): Promise<boolean> {
      const query = where(id).where('claim', '=', claim).set({ claimUntil: until })
      return changed(await db.executeQuery(query))
    },

    /** uploaded → removed, by the download that holds the claim. */
    async consume(id: string, claim: string): Promise<boolean> {
      const query = where(id)
        .where('claim', '=', claim)
        .where('status', '=', 'uploaded')
        .set({ status: 'removed', claim: null, claimUntil: null })
      return changed(await db.executeQuery(query))
    },

    /** Gives a claim back after a broken download. @param counts whether it got more than half */
    async release(id: string, claim: string, counts: Bit): Promise<void> {
      await where(id)
        .where('claim', '=', claim)
        .set((eb) => ({
          claim: null,
          claimUntil: null,
          brokenDownloads: eb('brokenDownloads', '+', counts),
        }))
        .execute()
    },
  }
}
