import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** The newest downloads of each upload, stored together where a table can be in the order of its key. */
export const downloads = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar } = textTypes(capabilities)
    await db.schema
      .createTable('downloads')
      .addColumn('uploadId', varchar(16), (c) => c.notNull())
      .addColumn('endedAt', 'bigint', (c) => c.notNull())
      .addColumn('id', varchar(16), (c) => c.notNull())
      .addColumn('fileId', varchar(16))
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('result', varchar(8), (c) => c.notNull())
      .addColumn('client', varchar(8), (c) => c.notNull())
      .addColumn('address', varchar(45))
      .addPrimaryKeyConstraint('downloads_key', ['uploadId', 'endedAt', 'id'])
      .$call((table) =>
        capabilities.tableOrder === 'by key on request' ? table.modifyEnd(sql`without rowid`) : table,
      )
      .execute()
  },
})
