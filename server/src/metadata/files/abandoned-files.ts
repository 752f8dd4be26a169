import type { ExpressionBuilder } from 'kysely'
import type { FileRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { hasStatus, updateFile, type FileKey } from './file-key.ts'
import { changed, type Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

/** Processes that gave a sign of life since a time, all but one: whoever asks knows better about itself. */
export interface Others {
  /** ms */
  readonly aliveSince: number
  readonly but: string
}

/** A file that a process may have been receiving. */
export type AbandonedFile = Pick<FileRecord, 'id' | 'uploadId' | 'instance' | 'uploadedAt'>

/** Queries of the table `files` for those that a process has left behind, as it ended or lost its connection. */
export function abandonedFileQueries(db: Db, traits: Capabilities) {
  const heldByNone =
    ({ aliveSince, but }: Others) =>
    (eb: ExpressionBuilder<Schema, 'files'>) =>
      eb.or([
        eb('instance', 'is', null),
        eb(
          'instance',
          'not in',
          eb.selectFrom('instances').select('id').where('seenAt', '>', aliveSince).where('id', '!=', but),
        ),
      ])
  const inOnePiece = (eb: ExpressionBuilder<Schema, 'files'>) =>
    eb.not(
      eb.exists(eb.selectFrom('resumables').select('fileId').whereRef('resumables.fileId', '=', 'files.id')),
    )
  return {
    /**
     * Files of a status, after a given id, that no process but `Others.but` can be writing; the first `limit`.
     * A file that comes in pieces waits for the next one.
     */
    unheld: (
      status: 'uploading' | 'removed',
      others: Others,
      after: string,
      limit: number,
    ): Promise<AbandonedFile[]> =>
      db
        .selectFrom('files')
        .select(['id', 'uploadId', 'instance', 'uploadedAt'])
        .where(hasStatus(traits, status))
        .where('id', '>', after)
        .where(heldByNone(others))
        .$if(status === 'uploading', (files) => files.where(inOnePiece))
        .orderBy('status')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** uploading → removed or missing, if no other process came back to life that receives it. */
    async abandon(file: FileKey, others: Others, next: 'removed' | 'missing'): Promise<boolean> {
      const query = updateFile(db, file)
        .where('status', '=', 'uploading')
        .where(heldByNone(others))
        .where(inOnePiece)
        .set({ status: next, instance: null })
      return changed(await db.executeQuery(query))
    },
  }
}
