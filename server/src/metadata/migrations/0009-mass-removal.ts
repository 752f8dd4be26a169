import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/**
 * Mass removal: a row in `removals` hides every upload of its user whose generation is lower, until batches have removed
 * them. Retention: `erasedAt` is the time at which the data of a removed upload was blanked.
 */
export const massRemoval = (capabilities: Capabilities): Migration => ({
  async up(db) {
    const { varchar } = textTypes(capabilities)
    await db.schema
      .createTable('removals')
      .addColumn('userId', varchar(300), (c) => c.primaryKey())
      .addColumn('generation', 'integer', (c) => c.notNull())
      .addColumn('requestedAt', 'bigint', (c) => c.notNull())
      .execute()
    for (const table of ['users', 'uploads'])
      await db.schema
        .alterTable(table)
        .addColumn('generation', 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    await db.schema.alterTable('users').addColumn('removedAt', 'bigint').execute()
    await db.schema.alterTable('uploads').addColumn('erasedAt', 'bigint').execute()
    const index = (name: string) => db.schema.createIndex(name).on('uploads')
    if (!capabilities.partialIndexes) {
      await index('uploads_by_retention').columns(['erasedAt', 'deletedAt', 'id']).execute()
      return
    }
    await index('uploads_to_erase')
      .columns(['deletedAt', 'id'])
      .where(sql.ref('deletedAt'), 'is not', null)
      .where(sql.ref('erasedAt'), 'is', null)
      .execute()
    await index('uploads_to_purge')
      .columns(['erasedAt', 'id'])
      .where(sql.ref('erasedAt'), 'is not', null)
      .execute()
  },
})
