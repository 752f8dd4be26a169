import { updateFile, type FileKey } from './file-key.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'

/** Queries of the table `files` for the quota that unfinished files reserve. */
export function reservedQuotaQueries(db: Db) {
  return {
    /** Reserves bytes of the owner's quota for a file that is being uploaded. */
    async reserve(file: FileKey, bytes: number): Promise<boolean> {
      const query = updateFile(db, file)
        .where('status', '=', 'uploading')
        .set((eb) => ({ reserved: eb('reserved', '+', bytes) }))
      return hasChangedRows(await db.executeQuery(query))
    },

    /** The number of files of an upload that may still arrive, of those that an instance receives, and their reservations in bytes. */
    async pending(
      uploadId: string,
    ): Promise<{ readonly files: number; readonly receiving: number; readonly reserved: number }> {
      const { files, receiving, reserved } = await db
        .selectFrom('files')
        .select((eb) => [
          eb.fn.countAll().as('files'),
          eb.fn.count<string | number>('instance').as('receiving'),
          eb.fn.sum<string | number | null>('reserved').as('reserved'),
        ])
        .where('uploadId', '=', uploadId)
        .where('status', 'in', ['missing', 'uploading'])
        .executeTakeFirstOrThrow()
      return { files: Number(files), receiving: Number(receiving), reserved: Number(reserved ?? 0) }
    },

    /**
     * Releases the reservations of the files of an upload that may still arrive, and that no instance is receiving.
     * @returns the number of these files
     */
    async releasePending(uploadId: string): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('files')
        .set({ reserved: 0 })
        .where('uploadId', '=', uploadId)
        .where((eb) =>
          eb.or([
            eb('status', '=', 'missing'),
            eb.and([eb('status', '=', 'uploading'), eb('instance', 'is', null)]),
          ]),
        )
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
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
