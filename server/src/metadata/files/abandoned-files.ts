import type { ExpressionBuilder } from 'kysely'
import type { FileRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { hasStatus, updateFile, type FileKey } from './file-key.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

/** Instances with a heartbeat after a time, except the calling one, which has a list of the files that it receives. */
export interface OtherInstances {
  /** ms */
  readonly aliveSince: number
  readonly exceptInstance: string
}

/** A file that an instance may have been receiving. */
export type AbandonedFile = Pick<FileRecord, 'id' | 'uploadId' | 'instance' | 'uploadedAt'>

/** Queries of the table `files` for files that an instance did not complete because it ended or lost its connection. */
export function abandonedFileQueries(db: Db, capabilities: Capabilities) {
  const isUnowned =
    ({ aliveSince, exceptInstance }: OtherInstances) =>
    (eb: ExpressionBuilder<Schema, 'files'>) =>
      eb.or([
        eb('instance', 'is', null),
        eb(
          'instance',
          'not in',
          eb
            .selectFrom('instances')
            .select('id')
            .where('seenAt', '>', aliveSince)
            .where('id', '!=', exceptInstance),
        ),
      ])
  const isNotResumable = (eb: ExpressionBuilder<Schema, 'files'>) =>
    eb.not(
      eb.exists(eb.selectFrom('resumables').select('fileId').whereRef('resumables.fileId', '=', 'files.id')),
    )
  return {
    /**
     * The first `limit` files of a status after an id that no other live instance can be writing. A resumable upload is
     * not abandoned: it waits for its next part.
     */
    findAbandoned: (
      status: 'uploading' | 'removed',
      others: OtherInstances,
      after: string,
      limit: number,
    ): Promise<AbandonedFile[]> =>
      db
        .selectFrom('files')
        .select(['id', 'uploadId', 'instance', 'uploadedAt'])
        .where(hasStatus(capabilities, status))
        .where('id', '>', after)
        .where(isUnowned(others))
        .$if(status === 'uploading', (files) => files.where(isNotResumable))
        .orderBy('status')
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** uploading → removed or missing, unless another instance that receives it has a heartbeat again. */
    async endAbandoned(file: FileKey, others: OtherInstances, next: 'removed' | 'missing'): Promise<boolean> {
      const query = updateFile(db, file)
        .where('status', '=', 'uploading')
        .where(isUnowned(others))
        .where(isNotResumable)
        .set({ status: next, instance: null })
      return hasChangedRows(await db.executeQuery(query))
    },
  }
}
