import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { foreignKey, textTypes } from './columns.ts'

/** Resumable uploads. */
export const resumables = (capabilities: Capabilities): Migration => ({
  async up(db) {
    const { varchar, text } = textTypes(capabilities)
    const ofFile = foreignKey(capabilities, ['resumables', 'fileId'], ['files', 'no action'])
    await db.schema
      .createTable('resumables')
      .addColumn('fileId', varchar(16), (c) => ofFile.onColumn(c.primaryKey()))
      .addColumn('size', 'bigint')
      .addColumn('received', 'bigint', (c) => c.notNull())
      .addColumn('session', text, (c) => c.notNull())
      .addColumn('type', varchar(255), (c) => c.notNull())
      .addColumn('writer', varchar(16))
      .addColumn('successor', varchar(16))
      .addColumn('expireAt', 'bigint', (c) => c.notNull())
      .execute()
    await ofFile.addConstraint(db)
    await db.schema.createIndex('resumables_expire_at').on('resumables').columns(['expireAt']).execute()
  },
})
