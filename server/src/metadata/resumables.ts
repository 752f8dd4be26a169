import type { ExpressionBuilder } from 'kysely'
import type { ResumableRecord } from '../domain/records.ts'
import { changed, type Db } from './prepared.ts'
import type { Schema } from './schema.ts'

/** How far a file is stored by one of its writers. */
export type Progress = Pick<ResumableRecord, 'received' | 'session' | 'type' | 'expireAt'>

/** A connection that writes a file, and the process that it is at. */
export interface Writer {
  readonly id: string
  readonly instance: string
}

/**
 * Queries of the table `resumables`: files that are sent in pieces. At most one connection writes a file at a time;
 * `files.instance` is the process that it is at, and the file is `uploading` from its first byte to its last.
 */
export function resumableQueries(db: Db) {
  const where = (fileId: string) => db.updateTable('resumables').where('fileId', '=', fileId)
  const uploading = (eb: ExpressionBuilder<Schema, 'resumables'>) =>
    eb.exists(
      eb
        .selectFrom('files')
        .select('files.id')
        .whereRef('files.id', '=', 'resumables.fileId')
        .where('files.status', '=', 'uploading'),
    )
  return {
    insert: async (row: ResumableRecord): Promise<void> => {
      await db.insertInto('resumables').values(row).execute()
    },

    find: (fileId: string): Promise<ResumableRecord | undefined> =>
      db.selectFrom('resumables').selectAll().where('fileId', '=', fileId).executeTakeFirst(),

    /** How far the unfinished files of an upload are. */
    offsets: (uploadId: string): Promise<Pick<ResumableRecord, 'fileId' | 'received'>[]> =>
      db
        .selectFrom('resumables')
        .innerJoin('files', 'files.id', 'resumables.fileId')
        .select(['resumables.fileId', 'resumables.received'])
        .where('files.uploadId', '=', uploadId)
        .where('files.status', '=', 'uploading')
        .execute(),

    /**
     * Makes a connection the writer of a file, if nobody is: whoever wrote has ended, or its process is dead.
     * Runs in a transaction.
     * @param aliveSince ms; a process that gave no sign of life since is dead
     * @returns false when somebody writes, somebody newer waits to, or the file is not on its way
     */
    async takeTurn(fileId: string, { id, instance }: Writer, aliveSince: number): Promise<boolean> {
      const alive = db.selectFrom('instances').select('id').where('seenAt', '>', aliveSince)
      const query = db
        .updateTable('files')
        .where('id', '=', fileId)
        .where('status', '=', 'uploading')
        .where((eb) => eb.or([eb('instance', 'is', null), eb('instance', 'not in', alive)]))
        .set({ instance })
      if (!changed(await db.executeQuery(query))) return false
      const turn = where(fileId)
        .where((eb) => eb.or([eb('successor', 'is', null), eb('successor', '=', id)]))
        .set({ writer: id, successor: null })
      return changed(await db.executeQuery(turn))
    },

    /** Tells the writer of a file that a newer connection wants to write, and any that waits that it need not. */
    async askForTurn(fileId: string, id: string): Promise<void> {
      await where(fileId).set({ successor: id }).execute()
    },

    /** Those of some files whose writer is wanted to end: somebody newer waits, or they are not on their way any more. */
    async wanted(fileIds: readonly string[]): Promise<string[]> {
      const kept = await db
        .selectFrom('resumables')
        .select('fileId')
        .where('fileId', 'in', fileIds)
        .where('successor', 'is', null)
        .where(uploading)
        .execute()
      const staying = new Set(kept.map(({ fileId }) => fileId))
      return fileIds.filter((fileId) => !staying.has(fileId))
    },

    /** The end of a writer's turn. Nothing happens when it had none. Runs in a transaction. */
    async endTurn(fileId: string, { id, instance }: Writer): Promise<void> {
      if (!changed(await db.executeQuery(where(fileId).where('writer', '=', id).set({ writer: null }))))
        return
      await db
        .updateTable('files')
        .where('id', '=', fileId)
        .where('instance', '=', instance)
        .set({ instance: null })
        .execute()
    },

    /** Writes down how far a file is stored. @returns false when this writer has lost the file */
    async commit(fileId: string, writer: string, progress: Progress): Promise<boolean> {
      const query = where(fileId).where('writer', '=', writer).where(uploading).set(progress)
      return changed(await db.executeQuery(query))
    },

    /** Writes down how many bytes a file will have, once. @returns false when that is known already */
    async settleSize(fileId: string, size: number): Promise<boolean> {
      return changed(await db.executeQuery(where(fileId).where('size', 'is', null).set({ size })))
    },

    /** Forgets the pieces of a file: it is whole, or all of it is gone. */
    async forget(fileId: string): Promise<void> {
      await db.deleteFrom('resumables').where('fileId', '=', fileId).execute()
    },

    /** Files of which nothing more came in time, and that nobody writes; the first `limit` after an id. */
    expired: (
      now: number,
      after: string,
      limit: number,
    ): Promise<{ readonly fileId: string; readonly uploadId: string }[]> =>
      db
        .selectFrom('resumables')
        .innerJoin('files', 'files.id', 'resumables.fileId')
        .select(['resumables.fileId', 'files.uploadId'])
        .where('resumables.expireAt', '<=', now)
        .where('resumables.fileId', '>', after)
        .where('files.status', '=', 'uploading')
        .orderBy('resumables.fileId')
        .limit(limit)
        .execute(),

    /** Files of which every byte has come, but that were not finished; the first `limit` after an id. */
    complete: (
      after: string,
      limit: number,
    ): Promise<{ readonly fileId: string; readonly uploadId: string }[]> =>
      db
        .selectFrom('resumables')
        .innerJoin('files', 'files.id', 'resumables.fileId')
        .select(['resumables.fileId', 'files.uploadId'])
        .whereRef('resumables.received', '=', 'resumables.size')
        .where('resumables.fileId', '>', after)
        .where('files.status', '=', 'uploading')
        .where('files.instance', 'is', null)
        .orderBy('resumables.fileId')
        .limit(limit)
        .execute(),
  }
}
