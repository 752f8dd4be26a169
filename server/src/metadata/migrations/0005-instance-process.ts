import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** The process of an instance, for other instances on its machine. */
export const instanceProcess = (capabilities: Capabilities): Migration => ({
  async up(db) {
    await db.schema
      .alterTable('instances')
      .addColumn('process', textTypes(capabilities).varchar(120), (c) => c.notNull().defaultTo(''))
      .execute()
  },
})
