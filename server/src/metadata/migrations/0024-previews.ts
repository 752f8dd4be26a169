import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** Previews of files. Their bytes are in a separate table, because queries of files read whole rows. */
export const previews = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar } = textTypes(capabilities)
    await db.schema
      .alterTable('files')
      .addColumn('preview', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('previews')
      .addColumn('fileId', varchar(16), (c) => c.notNull().primaryKey())
      .addColumn('uploadId', varchar(16), (c) => c.notNull())
      .addColumn('content', sql.raw(capabilities.bytesType), (c) => c.notNull())
      .execute()
    await db.schema.createIndex('previews_upload_id').on('previews').column('uploadId').execute()
  },
})
