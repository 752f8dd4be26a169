import type { ResumableRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { updateFile, type FileKey } from './file-key.ts'
import { pendingBytesQueries } from './pending-bytes.ts'
import { isUnlocked, isUploading, uploadLockQueries } from './upload-locks.ts'
import { padKeys } from '../query/padded-keys.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'

/** The stored progress of a resumable upload. */
export type Progress = Pick<ResumableRecord, 'received' | 'session' | 'type' | 'expireAt'>

/**
 * Queries of the table `resumables`: resumable uploads. At most one connection writes a file at a time: the holder of its
 * upload lock. The file is `uploading` from its first byte to its last.
 */
export function resumableQueries(db: Db, capabilities: Capabilities) {
  const where = (fileId: string) => db.updateTable('resumables').where('fileId', '=', fileId)
  return {
    ...uploadLockQueries(db),
    ...pendingBytesQueries(db, capabilities),

    insert: async (row: ResumableRecord): Promise<void> => {
      await db.insertInto('resumables').values(row).execute()
    },

    find: (fileId: string): Promise<ResumableRecord | undefined> =>
      db.selectFrom('resumables').selectAll().where('fileId', '=', fileId).executeTakeFirst(),

    /** The bytes received of each unfinished file of an upload. */
    offsets: (uploadId: string): Promise<Pick<ResumableRecord, 'fileId' | 'received'>[]> =>
      db
        .selectFrom('resumables')
        .innerJoin('files', 'files.id', 'resumables.fileId')
        .select(['resumables.fileId', 'resumables.received'])
        .where('files.uploadId', '=', uploadId)
        .where('files.status', '=', 'uploading')
        .execute(),

    /** Whether bytes of an unfinished file of an upload are stored. */
    async hasBytes(uploadId: string): Promise<boolean> {
      const row = await db
        .selectFrom('resumables')
        .innerJoin('files', 'files.id', 'resumables.fileId')
        .select('resumables.fileId')
        .where('files.uploadId', '=', uploadId)
        .where('files.status', '=', 'uploading')
        .where('resumables.received', '>', 0)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * Records the progress of a file.
     * @returns false when this connection has lost the lock
     */
    async commit(fileId: string, writer: string, progress: Progress): Promise<boolean> {
      const query = where(fileId).where('writer', '=', writer).where(isUploading).set(progress)
      return hasChangedRows(await db.executeQuery(query))
    },

    /**
     * Sets the size of a file, once.
     * @returns false when the size is known already
     */
    async setSize(fileId: string, size: number): Promise<boolean> {
      return hasChangedRows(await db.executeQuery(where(fileId).where('size', 'is', null).set({ size })))
    },

    /** The resumable uploads among these files, including finished ones. */
    findAll: (fileIds: readonly string[]): Promise<ResumableRecord[]> =>
      db.selectFrom('resumables').selectAll().where('fileId', 'in', padKeys(fileIds)).execute(),

    /** Removes the rows of files that are complete, or whose bytes are deleted. */
    async remove(...fileIds: readonly string[]): Promise<void> {
      await db.deleteFrom('resumables').where('fileId', 'in', padKeys(fileIds)).execute()
    },

    /**
     * The first `limit` expired uploads after an id that no live instance writes.
     * @param aliveSince ms; an instance without a heartbeat after this is dead
     */
    expired: (now: number, aliveSince: number, after: string, limit: number): Promise<FileKey[]> =>
      db
        .selectFrom('resumables')
        .select(['fileId as id', 'uploadId'])
        .where('expireAt', '<=', now)
        .where('fileId', '>', after)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('files')
              .select('files.id')
              .whereRef('files.uploadId', '=', 'resumables.uploadId')
              .whereRef('files.id', '=', 'resumables.fileId')
              .where('files.status', '=', 'uploading')
              .where(isUnlocked(aliveSince)),
          ),
        )
        .orderBy('fileId')
        .limit(limit)
        .execute(),

    /** uploading → removed, for a result of `expired` that still matches. */
    async expire(file: FileKey, now: number, aliveSince: number): Promise<boolean> {
      const query = updateFile(db, file)
        .where('status', '=', 'uploading')
        .where(isUnlocked(aliveSince))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('resumables')
              .select('fileId')
              .where('fileId', '=', file.id)
              .where('expireAt', '<=', now),
          ),
        )
        .set({ status: 'removed', instance: null })
      return hasChangedRows(await db.executeQuery(query))
    },
  }
}
