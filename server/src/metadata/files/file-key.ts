import { sql, type ExpressionBuilder } from 'kysely'
import type { FileRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { padded } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

/**
 * What a file is found by. Its id alone would do, but a database may keep the files of an upload together, in the order
 * of both, and have no index of all ids.
 */
export type FileKey = Pick<FileRecord, 'id' | 'uploadId'>

/** A change of one file. */
export const updateFile = (db: Db, { id, uploadId }: FileKey) =>
  db.updateTable('files').where('uploadId', '=', uploadId).where('id', '=', id)

/** Whether a file is one of some, at least one. */
export const isOneOf =
  ({ tableOrder }: Capabilities, files: readonly FileKey[]) =>
  (eb: ExpressionBuilder<Schema, 'files'>) => {
    const keys = padded(files)
    if (tableOrder !== 'by key on request')
      return eb(
        'id',
        'in',
        keys.map(({ id }) => id),
      )
    const pairs = keys.map(({ uploadId, id }) => sql`(${uploadId}, ${id})`)
    return sql<boolean>`(${eb.ref('uploadId')}, ${eb.ref('id')}) in (values ${sql.join(pairs)})`
  }

/** By the index of `status` and `id`, or that of the files of this status. */
export const hasStatus =
  ({ partialIndexes }: Capabilities, status: 'uploading' | 'removed') =>
  (eb: ExpressionBuilder<Schema, 'files'>) =>
    partialIndexes
      ? // Written out: an index that has some files only is used where the text of the query says which.
        eb('files.status', '=', sql.lit(status))
      : // A second one, which no file has: MariaDB drops an equality from the order, and 11.8 then reads all files by their ids.
        sql<boolean>`${eb.ref('files.status')} in (${status}, '')`

/** Whether a file is more than declared: an index of ids may have no others. */
export const isBegun = (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb('files.status', '!=', sql.lit<FileRecord['status']>('missing'))
