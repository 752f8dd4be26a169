import { updateFile, type FileKey } from './file-key.ts'
import { changed, type Db } from '../query/prepared.ts'

/** Queries of the table `files` for the quota that unfinished files reserve. */
export function reservedQuotaQueries(db: Db) {
  return {
    /** Reserves bytes of the owner's quota for a file that is being uploaded. */
    async reserve(file: FileKey, bytes: number): Promise<boolean> {
      const query = updateFile(db, file)
        .where('status', '=', 'uploading')
        .set((eb) => ({ reserved: eb('reserved', '+', bytes) }))
      return changed(await db.executeQuery(query))
    },

    /**
     * Releases the reservations of the removed files of an upload.
     * @returns the released bytes
     */
    async releaseReserved(uploadId: string): Promise<number> {
      const removed = await db
        .selectFrom('files')
        .select((eb) => eb.fn.sum<string | number | null>('reserved').as('bytes'))
        .where('uploadId', '=', uploadId)
        .where('status', '=', 'removed')
        .executeTakeFirstOrThrow()
      const bytes = Number(removed.bytes ?? 0)
      if (bytes === 0) return 0
      await db
        .updateTable('files')
        .set({ reserved: 0 })
        .where('uploadId', '=', uploadId)
        .where('status', '=', 'removed')
        .execute()
      return bytes
    },
  }
}
