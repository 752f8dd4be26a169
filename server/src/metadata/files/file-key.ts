import { sql, type ExpressionBuilder } from 'kysely'
import type { FileRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

/**
 * The key of a file. The id alone is unique, but a database may store the files of an upload together, in the order of
 * both columns, and have no index of all ids.
 */
export type FileKey = Pick<FileRecord, 'id' | 'uploadId'>

/** An update of one file. */
export const updateFile = (db: Db, { id, uploadId }: FileKey) =>
  db.updateTable('files').where('uploadId', '=', uploadId).where('id', '=', id)

/** Whether the key of a file is among those of `files`, which must not be empty. */
export const hasKeyIn =
  ({ tableOrder }: Capabilities, files: readonly FileKey[]) =>
  (eb: ExpressionBuilder<Schema, 'files'>) => {
    const keys = padKeys(files)
    if (tableOrder !== 'by key on request')
      return eb(
        'id',
        'in',
        keys.map(({ id }) => id),
      )
    const pairs = keys.map(({ uploadId, id }) => sql`(${uploadId}, ${id})`)
    return sql<boolean>`(${eb.ref('uploadId')}, ${eb.ref('id')}) in (values ${sql.join(pairs)})`
  }

/** A condition that the database looks up in an index: of `status` and `id`, or of the files of this status. */
export const hasStatus =
  ({ partialIndexes }: Capabilities, status: 'uploading' | 'removed') =>
  (eb: ExpressionBuilder<Schema, 'files'>) =>
    partialIndexes
      ? // A literal: the planner uses a partial index only if the text of the query contains its condition.
        eb('files.status', '=', sql.lit(status))
      : // The second value matches no file. With an equality alone, MariaDB drops the column from the order, and version
        // 11.8 scans all files by id.
        sql<boolean>`${eb.ref('files.status')} in (${status}, '')`

/** Whether the upload of a file has started. Files that are only declared may be missing from the index of ids. */
export const isStarted = (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb('files.status', '!=', sql.lit<FileRecord['status']>('missing'))
