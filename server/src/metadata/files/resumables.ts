import type { ExpressionBuilder } from 'kysely'
import type { ResumableRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { hasStatus, updateFile, type FileKey } from './file-key.ts'
import { padded } from '../query/padded-keys.ts'
import { changed, type Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

/** How far a file is stored by one of its writers. */
export type Progress = Pick<ResumableRecord, 'received' | 'session' | 'type' | 'expireAt'>

/** A connection that writes a file, and the process that it is at. */
export interface Writer {
  readonly id: string
  readonly instance: string
}

/** Announced files that count: all that others than one process receive as a whole, and in pieces those that move. */
export interface Announced {
  readonly but: string
  /** Those count that were begun since, in milliseconds since the epoch … */
  readonly begunSince: number
  /** … and those that end after this without another piece. */
  readonly expireSince: number
}

/**
 * Queries of the table `resumables`: files that are sent in pieces. At most one connection writes a file at a time;
 * `files.instance` is the process that it is at, and the file is `uploading` from its first byte to its last.
 */
export function resumableQueries(db: Db, traits: Capabilities) {
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
  const unwritten = (aliveSince: number) => (eb: ExpressionBuilder<Schema, 'files'>) =>
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
    async takeTurn(file: FileKey, { id, instance }: Writer, aliveSince: number): Promise<boolean> {
      const query = updateFile(db, file)
        .where('status', '=', 'uploading')
        .where(unwritten(aliveSince))
        .set({ instance })
      if (!changed(await db.executeQuery(query))) return false
      const turn = where(file.id)
        .where((eb) => eb.or([eb('successor', 'is', null), eb('successor', '=', id)]))
        .set({ writer: id, successor: null })
      return changed(await db.executeQuery(turn))
    },

    /** Tells the writer of a file that a newer connection wants to write, and any that waits that it need not. */
    async askForTurn(fileId: string, id: string): Promise<void> {
      await where(fileId).set({ successor: id }).execute()
    },

    /** Who waits to write a file; nothing when the file is not on its way, or any more. */
    successor: (fileId: string): Promise<Pick<ResumableRecord, 'successor'> | undefined> =>
      db
        .selectFrom('resumables')
        .select('successor')
        .where('fileId', '=', fileId)
        .where(uploading)
        .executeTakeFirst(),

    /**
     * Those of some writers whose file is on its way and was not taken from them as if they were dead, each with who
     * waits to take over.
     */
    async stillWriting(writers: readonly string[]): Promise<ReadonlyMap<string | null, string | null>> {
      const rows = await db
        .selectFrom('resumables')
        .select(['writer', 'successor'])
        .where('writer', 'in', writers)
        .where(uploading)
        .execute()
      return new Map(rows.map(({ writer, successor }) => [writer, successor]))
    },

    /** The end of a writer's turn. Nothing happens when it had none. Runs in a transaction. */
    async endTurn(file: FileKey, { id, instance }: Writer): Promise<void> {
      if (!changed(await db.executeQuery(where(file.id).where('writer', '=', id).set({ writer: null }))))
        return
      await updateFile(db, file).where('instance', '=', instance).set({ instance: null }).execute()
    },

    /** Writes down how far a file is stored. @returns false when this writer has lost the file */
    async commit(fileId: string, writer: string, progress: Progress): Promise<boolean> {
      const query = where(fileId).where('writer', '=', writer).where(uploading).set(progress)
      return changed(await db.executeQuery(query))
    },

    /** Bytes of files on their way that are announced and have not come, as far as `Announced` says. */
    async announcedBytes({ but, begunSince, expireSince }: Announced): Promise<number> {
      const inPieces = db
        .selectFrom('resumables')
        .innerJoin('files', (join) =>
          join
            .onRef('files.uploadId', '=', 'resumables.uploadId')
            .onRef('files.id', '=', 'resumables.fileId'),
        )
        .select((eb) =>
          eb.fn.sum<string | number | null>(eb('resumables.size', '-', eb.ref('received'))).as('bytes'),
        )
        .where('files.status', '=', 'uploading')
        .where((eb) =>
          eb.or([eb('files.createdAt', '>', begunSince), eb('resumables.expireAt', '>', expireSince)]),
        )
      const whole = db
        .selectFrom('files')
        .innerJoin('uploads', 'uploads.id', 'files.uploadId')
        .leftJoin('resumables', 'resumables.fileId', 'files.id')
        .select((eb) => eb.fn.sum<string | number | null>('files.fileSize').as('bytes'))
        .where(hasStatus(traits, 'uploading'))
        .where('files.instance', '!=', but)
        .where('uploads.stream', '=', 0)
        .where('resumables.fileId', 'is', null)
      const sums = await Promise.all([inPieces.executeTakeFirst(), whole.executeTakeFirst()])
      return sums.reduce((sum, row) => sum + Number(row?.bytes ?? 0), 0)
    },

    /** Writes down how many bytes a file will have, once. @returns false when that is known already */
    async settleSize(fileId: string, size: number): Promise<boolean> {
      return changed(await db.executeQuery(where(fileId).where('size', 'is', null).set({ size })))
    },

    /** Those of some files that come in pieces, or came. */
    findAll: (fileIds: readonly string[]): Promise<ResumableRecord[]> =>
      db.selectFrom('resumables').selectAll().where('fileId', 'in', padded(fileIds)).execute(),

    /** Forgets the pieces of files: they are whole, or all of them is gone. */
    async forget(...fileIds: readonly string[]): Promise<void> {
      await db.deleteFrom('resumables').where('fileId', 'in', padded(fileIds)).execute()
    },

    /**
     * Files of which nothing more came in time, and that nobody writes; the first `limit` after an id.
     * @param aliveSince ms; a process that gave no sign of life since writes nothing
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
              .where(unwritten(aliveSince)),
          ),
        )
        .orderBy('fileId')
        .limit(limit)
        .execute(),

    /** uploading → removed, for such a file, if none of that has changed. */
    async expire(file: FileKey, now: number, aliveSince: number): Promise<boolean> {
      const query = updateFile(db, file)
        .where('status', '=', 'uploading')
        .where(unwritten(aliveSince))
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
