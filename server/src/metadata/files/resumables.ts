import type { ExpressionBuilder } from 'kysely'
import type { ResumableRecord, UploadRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { hasStatus, updateFile, type FileKey } from './file-key.ts'
import { padded } from '../query/padded-keys.ts'
import { changed, type Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

/** The stored progress of a resumable upload. */
export type Progress = Pick<ResumableRecord, 'received' | 'session' | 'type' | 'expireAt'>

/** A connection that holds the upload lock of a file, and its instance. */
export interface LockHolder {
  readonly id: string
  readonly instance: string
}

/**
 * Selects unfinished files: those that other instances receive in one request, and resumable uploads with recent progress.
 */
export interface PendingFilter {
  readonly exceptInstance: string
  /** A resumable upload without a stored byte counts if it was announced after this time. Milliseconds since the epoch. */
  readonly announcedSince: number
  /** Other resumable uploads count if their last part arrived after this time. Milliseconds since the epoch. */
  readonly progressSince: number
  /** The time from the last part of a resumable upload to its expiry. Milliseconds. */
  readonly expireAfter: number
}

/** Announced bytes of the uploads of a user, or of an address. */
export interface PendingBytes extends Pick<UploadRecord, 'userId' | 'address'> {
  readonly bytes: number
}

/**
 * Queries of the table `resumables`: resumable uploads. At most one connection writes a file at a time: the holder of its
 * upload lock, whose id is in the column `writer`. A connection that wants the lock puts its id in the column
 * `successor`. `files.instance` is the holder's instance; the file is `uploading` from its first byte to its last.
 */
export function resumableQueries(db: Db, capabilities: Capabilities) {
  const where = (fileId: string) => db.updateTable('resumables').where('fileId', '=', fileId)
  const uploading = (eb: ExpressionBuilder<Schema, 'resumables'>) =>
    eb.exists(
      eb
        .selectFrom('files')
        .select('files.id')
        .whereRef('files.uploadId', '=', 'resumables.uploadId')
        .whereRef('files.id', '=', 'resumables.fileId')
        .where('files.status', '=', 'uploading'),
    )
  const isUnlocked = (aliveSince: number) => (eb: ExpressionBuilder<Schema, 'files'>) =>
    eb.or([
      eb('files.instance', 'is', null),
      eb(
        'files.instance',
        'not in',
        eb.selectFrom('instances').select('instances.id').where('seenAt', '>', aliveSince),
      ),
    ])
  return {
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
      if (!changed(await db.executeQuery(query))) return false
      const lock = where(file.id)
        .where((eb) => eb.or([eb('successor', 'is', null), eb('successor', '=', id)]))
        .set({ writer: id, successor: null })
      return changed(await db.executeQuery(lock))
    },

    /** Asks the holder of a lock to release it, and replaces any connection that waits for it. */
    async requestLock(fileId: string, id: string): Promise<void> {
      await where(fileId).set({ successor: id }).execute()
    },

    /** The connection that waits for a lock; undefined when the file is not being uploaded. */
    contender: (fileId: string): Promise<Pick<ResumableRecord, 'successor'> | undefined> =>
      db
        .selectFrom('resumables')
        .select('successor')
        .where('fileId', '=', fileId)
        .where(uploading)
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
        .where(uploading)
        .execute()
      return new Map(rows.map(({ writer, successor }) => [writer, successor]))
    },

    /** Releases a lock, if the connection holds it. Runs in a transaction. */
    async releaseLock(file: FileKey, { id, instance }: LockHolder): Promise<void> {
      if (!changed(await db.executeQuery(where(file.id).where('writer', '=', id).set({ writer: null }))))
        return
      await updateFile(db, file).where('instance', '=', instance).set({ instance: null }).execute()
    },

    /**
     * Records the progress of a file.
     * @returns false when this connection has lost the lock
     */
    async commit(fileId: string, writer: string, progress: Progress): Promise<boolean> {
      const query = where(fileId).where('writer', '=', writer).where(uploading).set(progress)
      return changed(await db.executeQuery(query))
    },

    /** The announced bytes of unfinished files that have not arrived yet, by owner and address of the upload. */
    async pendingBytes(filter: PendingFilter): Promise<readonly PendingBytes[]> {
      const unfinished = db
        .selectFrom('files')
        .innerJoin('uploads', 'uploads.id', 'files.uploadId')
        .select(['uploads.userId', 'uploads.address'])
        .where(hasStatus(capabilities, 'uploading'))
        .groupBy(['uploads.userId', 'uploads.address'])
      const resumable = unfinished
        .innerJoin('resumables', 'resumables.fileId', 'files.id')
        .select((eb) =>
          eb.fn.sum<string | number | null>(eb('resumables.size', '-', eb.ref('received'))).as('bytes'),
        )
        .where((eb) => {
          const movedSince = (since: number) =>
            eb.or([
              eb('files.createdAt', '>', since),
              eb('resumables.expireAt', '>', since + filter.expireAfter),
            ])
          return eb.or([
            movedSince(filter.announcedSince),
            eb.and([eb('received', '>', 0), movedSince(filter.progressSince)]),
          ])
        })
      const singleRequest = unfinished
        .leftJoin('resumables', 'resumables.fileId', 'files.id')
        .select((eb) => eb.fn.sum<string | number | null>('files.fileSize').as('bytes'))
        .where('files.instance', '!=', filter.exceptInstance)
        .where('uploads.stream', '=', 0)
        .where('resumables.fileId', 'is', null)
      const rows = await Promise.all([resumable.execute(), singleRequest.execute()])
      return rows.flat().map((row) => ({ ...row, bytes: Number(row.bytes ?? 0) }))
    },

    /**
     * Sets the size of a file, once.
     * @returns false when the size is known already
     */
    async setSize(fileId: string, size: number): Promise<boolean> {
      return changed(await db.executeQuery(where(fileId).where('size', 'is', null).set({ size })))
    },

    /** The resumable uploads among these files, including finished ones. */
    findAll: (fileIds: readonly string[]): Promise<ResumableRecord[]> =>
      db.selectFrom('resumables').selectAll().where('fileId', 'in', padded(fileIds)).execute(),

    /** Removes the rows of files that are complete, or whose bytes are deleted. */
    async remove(...fileIds: readonly string[]): Promise<void> {
      await db.deleteFrom('resumables').where('fileId', 'in', padded(fileIds)).execute()
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
      return changed(await db.executeQuery(query))
    },
  }
}
