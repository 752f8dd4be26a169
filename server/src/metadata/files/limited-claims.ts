import type { Bit, ClaimRecord, FileRecord } from '../../domain/records.ts'
import { updateFile, type FileKey } from './file-key.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'

/** A claim without its lease. */
export type ClaimKey = Pick<ClaimRecord, 'id' | 'fileId' | 'uploadId'>

/**
 * Queries of the table `claims`, and of the counters of files with `maxDownloads`. A transaction changes the counters of a
 * file before its claims, so that two of them wait for each other in one order.
 */
export function limitedClaimQueries(db: Db) {
  const file = ({ fileId, uploadId }: Omit<ClaimKey, 'id'>) => updateFile(db, { id: fileId, uploadId })
  const byKey = ({ fileId, id }: ClaimKey) =>
    db.selectFrom('claims').select('id').where('fileId', '=', fileId).where('id', '=', id)
  return {
    has: async (claim: ClaimKey): Promise<boolean> => (await byKey(claim).executeTakeFirst()) !== undefined,

    /**
     * Counts one more current download of a file, unless as many are current or done as it may have.
     * @param limit the number of downloads that the upload allows
     */
    async reserve(claim: ClaimKey, limit: number): Promise<boolean> {
      const query = file(claim)
        .where('status', '=', 'uploaded')
        .where((eb) => eb(eb('downloads', '+', eb.ref('claimed')), '<', limit))
        .set((eb) => ({ claimed: eb('claimed', '+', 1) }))
      return hasChangedRows(await db.executeQuery(query))
    },

    /** @param until ms; the claim expires then unless it is renewed */
    async insert({ fileId, id, uploadId }: ClaimKey, until: number): Promise<void> {
      await db.insertInto('claims').values({ fileId, id, uploadId, claimUntil: until, sealed: 0 }).execute()
    },

    /** @param until ms */
    async renew({ fileId, id }: ClaimKey, until: number): Promise<void> {
      await db
        .updateTable('claims')
        .where('fileId', '=', fileId)
        .where('id', '=', id)
        .set({ claimUntil: until })
        .execute()
    },

    /**
     * Seals a claim, unless it was lost or its file removed: if it expires from now on, the download counts.
     * @param until ms
     */
    async seal({ fileId, id, uploadId }: ClaimKey, until: number): Promise<boolean> {
      const query = db
        .updateTable('claims')
        .where('fileId', '=', fileId)
        .where('id', '=', id)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('files')
              .select('files.id')
              .where('files.uploadId', '=', uploadId)
              .where('files.id', '=', fileId)
              .where('files.status', '=', 'uploaded'),
          ),
        )
        .set({ claimUntil: until, sealed: 1 })
      return hasChangedRows(await db.executeQuery(query))
    },

    /**
     * Counts one current download less.
     * @param counts `downloads`: 1 if it counts; `broken`: 1 if it received more than half of the file
     */
    async settle(
      claim: ClaimKey,
      { downloads = 0, broken = 0 }: { readonly downloads?: Bit; readonly broken?: Bit } = {},
    ): Promise<void> {
      await file(claim)
        .set((eb) => ({
          claimed: eb('claimed', '-', 1),
          downloads: eb('downloads', '+', downloads),
          brokenDownloads: eb('brokenDownloads', '+', broken),
        }))
        .execute()
    },

    /** Counts broken downloads as one download. */
    async countBroken({ id, uploadId }: FileKey, broken: number): Promise<void> {
      await updateFile(db, { id, uploadId })
        .set((eb) => ({
          downloads: eb('downloads', '+', 1),
          brokenDownloads: eb('brokenDownloads', '-', broken),
        }))
        .execute()
    },

    /** @returns false when the claim was lost */
    async remove({ fileId, id }: ClaimKey): Promise<boolean> {
      const query = db.deleteFrom('claims').where('fileId', '=', fileId).where('id', '=', id)
      return hasChangedRows(await db.executeQuery(query))
    },

    /**
     * Frees the claims of a file that expired without a seal.
     * @param before ms
     * @returns whether there were any
     */
    async freeExpired({ fileId, uploadId }: Omit<ClaimKey, 'id'>, before: number): Promise<boolean> {
      // Changes nothing, but locks the row of the file before those of its claims.
      await file({ fileId, uploadId })
        .set((eb) => ({ claimed: eb.ref('claimed') }))
        .execute()
      const { numDeletedRows } = await db
        .deleteFrom('claims')
        .where('fileId', '=', fileId)
        .where('sealed', '=', 0)
        .where('claimUntil', '<=', before)
        .executeTakeFirstOrThrow()
      const freed = Number(numDeletedRows)
      if (freed === 0) return false
      await file({ fileId, uploadId })
        .set((eb) => ({ claimed: eb('claimed', '-', freed) }))
        .execute()
      return true
    },

    /** The first `limit` claims with or without a seal that expired at a time in ms or before. */
    findExpired: (sealed: Bit, now: number, limit: number): Promise<ClaimKey[]> =>
      db
        .selectFrom('claims')
        .select(['fileId', 'id', 'uploadId'])
        .where('sealed', '=', sealed)
        .where('claimUntil', '<=', now)
        .orderBy('claimUntil')
        .limit(limit)
        .execute(),
  }
}

/** Whether a file has had all its downloads. */
export const isUsedUp = ({ status, downloads }: FileRecord, limit: number): boolean =>
  status === 'uploaded' && downloads >= limit
