import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** Aliases of uploads. They stay reserved after their upload and its row are gone, so there is no foreign key. */
export const aliases = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar } = textTypes(capabilities)
    await db.schema
      .createTable('aliases')
      .addColumn('alias', varchar(64), (c) => c.notNull().primaryKey())
      .addColumn('uploadId', varchar(16), (c) => c.notNull())
      .addColumn('heldUntil', 'bigint')
      .execute()
    await db.schema.createIndex('aliases_upload_id').on('aliases').column('uploadId').execute()
    await db.schema
      .createIndex('aliases_held_until')
      .on('aliases')
      .column('heldUntil')
      .$call((held) =>
        capabilities.partialIndexes ? held.where(sql.ref('heldUntil'), 'is not', null) : held,
      )
      .execute()
  },
})
