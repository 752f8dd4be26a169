import type { ExpressionBuilder } from 'kysely'
import type { FileRecord } from '../../domain/records.ts'
import type { Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

/** The first `limit` files after one, in the order of their uploads. */
export function filesAfter(db: Db, last: FileRecord | undefined, limit: number) {
  const rows = db
    .selectFrom('files')
    .selectAll()
    // Blanked uploads have nothing left to export.
    .where((eb) => eb.not(eb.exists(blankedUploadOf(eb))))
    .orderBy('uploadId')
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
  if (last === undefined) return rows
  const { uploadId, position, id } = last
  return (
    rows
      // The next condition implies this one, which the database looks up in an index.
      .where('uploadId', '>=', uploadId)
      .where((eb) =>
        eb.or([
          eb('uploadId', '>', uploadId),
          eb('position', '>', position),
          eb.and([eb('position', '=', position), eb('id', '>', id)]),
        ]),
      )
  )
}

const blankedUploadOf = (eb: ExpressionBuilder<Schema, 'files'>) =>
  eb
    .selectFrom('uploads')
    .select('uploads.id')
    .whereRef('uploads.id', '=', 'files.uploadId')
    .where('uploads.erasedAt', 'is not', null)
