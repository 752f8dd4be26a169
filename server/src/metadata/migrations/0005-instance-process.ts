import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** Which process an instance is, for others on its machine. */
export const instanceProcess = (traits: Capabilities): Migration => ({
  async up(db) {
    await db.schema
      .alterTable('instances')
      .addColumn('process', textTypes(traits).varchar(120), (c) => c.notNull().defaultTo(''))
      .execute()
  },
})
