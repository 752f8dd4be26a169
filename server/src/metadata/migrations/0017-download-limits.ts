import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/**
 * Files that can be downloaded a limited number of times. Several downloads of one file can run at the same time, so their
 * claims are rows of a table.
 */
export const downloadLimits = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar } = textTypes(capabilities)
    await db.schema.alterTable('uploads').addColumn('maxDownloads', 'integer').execute()
    for (const name of ['downloads', 'claimed'])
      await db.schema
        .alterTable('files')
        .addColumn(name, 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    await db.schema
      .createTable('claims')
      .addColumn('fileId', varchar(16), (c) => c.notNull())
      .addColumn('id', varchar(16), (c) => c.notNull())
      .addColumn('uploadId', varchar(16), (c) => c.notNull())
      .addColumn('claimUntil', 'bigint', (c) => c.notNull())
      .addColumn('sealed', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('claims_key', ['fileId', 'id'])
      .execute()
    await db.schema.createIndex('claims_until').on('claims').columns(['sealed', 'claimUntil']).execute()
  },
})
