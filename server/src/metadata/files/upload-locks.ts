import type { ExpressionBuilder } from 'kysely'
import type { ResumableRecord } from '../../domain/records.ts'
import { updateFile, type FileKey } from './file-key.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

/** A connection that holds the upload lock of a file, and its instance. */
export interface LockHolder {
  readonly id: string
  readonly instance: string
}

/** Whether the file of a resumable upload is being uploaded. */
export const isUploading = (eb: ExpressionBuilder<Schema, 'resumables'>) =>
  eb.exists(
    eb
      .selectFrom('files')
      .select('files.id')
      .whereRef('files.uploadId', '=', 'resumables.uploadId')
      .whereRef('files.id', '=', 'resumables.fileId')
      .where('files.status', '=', 'uploading'),
  )

/**
 * Whether no connection of a live instance holds the upload lock of a file.
 * @param aliveSince ms; an instance without a heartbeat after this is dead
 */
export const isUnlocked = (aliveSince: number) => (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb.or([
    eb('files.instance', 'is', null),
    eb(
      'files.instance',
      'not in',
      eb.selectFrom('instances').select('instances.id').where('seenAt', '>', aliveSince),
    ),
  ])

/**
 * Queries of the upload locks. The id of the holder is in the column `writer` of the table `resumables`, and its instance in
 * `files.instance`. A connection that wants the lock puts its id in the column `successor`.
 */
export function uploadLockQueries(db: Db) {
  const where = (fileId: string) => db.updateTable('resumables').where('fileId', '=', fileId)
  return {
    /**
     * Gives a connection the upload lock of a file, if no connection of a live instance holds it. Runs in a transaction.
     * @param aliveSince ms; an instance without a heartbeat after this is dead
     * @returns false when the lock is held, a newer connection waits for it, or the file is not being uploaded
     */
    async acquireLock(file: FileKey, { id, instance }: LockHolder, aliveSince: number): Promise<boolean> {
      const query = updateFile(db, file)
        .where('status', '=', 'uploading')
        .where(isUnlocked(aliveSince))
        .set({ instance })
      if (!hasChangedRows(await db.executeQuery(query))) return false
      const lock = where(file.id)
        .where((eb) => eb.or([eb('successor', 'is', null), eb('successor', '=', id)]))
        .set({ writer: id, successor: null })
      return hasChangedRows(await db.executeQuery(lock))
    },

    /** Asks the holder of a lock to release it, and replaces any connection that waits for it. */
    async requestLock(fileId: string, id: string): Promise<void> {
      await where(fileId).set({ successor: id }).execute()
    },

    /** The connection that waits for a lock; undefined when the file is not being uploaded. */
    successorOf: (fileId: string): Promise<Pick<ResumableRecord, 'successor'> | undefined> =>
      db
        .selectFrom('resumables')
        .select('successor')
        .where('fileId', '=', fileId)
        .where(isUploading)
        .executeTakeFirst(),

    /**
     * The connections among `holders` that still hold their lock, each with the connection that waits for it. A
     * connection loses its lock when its file is no longer uploaded, or when its instance was considered dead.
     */
    async heldLocks(holders: readonly string[]): Promise<ReadonlyMap<string | null, string | null>> {
      const rows = await db
        .selectFrom('resumables')
        .select(['writer', 'successor'])
        .where('writer', 'in', holders)
        .where(isUploading)
        .execute()
      return new Map(rows.map(({ writer, successor }) => [writer, successor]))
    },

    /** Releases a lock, if the connection holds it. Runs in a transaction. */
    async releaseLock(file: FileKey, { id, instance }: LockHolder): Promise<void> {
      if (
        !hasChangedRows(await db.executeQuery(where(file.id).where('writer', '=', id).set({ writer: null })))
      )
        return
      await updateFile(db, file).where('instance', '=', instance).set({ instance: null }).execute()
    },
  }
}
