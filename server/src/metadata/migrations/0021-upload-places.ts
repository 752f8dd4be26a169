import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'

/** Until when an upload without a byte counts against the limits of its request. */
export const uploadPlaces = ({ partialIndexes }: Pick<Capabilities, 'partialIndexes'>): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('uploads').addColumn('placeUntil', 'bigint').execute()
    await db.schema
      .createIndex('uploads_without_bytes')
      .on('uploads')
      .columns(['placeUntil', 'id', 'requestId'])
      .$call((index) => (partialIndexes ? index.where(sql.ref('placeUntil'), 'is not', null) : index))
      .execute()
  },
})
