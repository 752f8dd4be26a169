import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** The addresses under which instances reach each other. */
export const instanceAddress = (capabilities: Capabilities): Migration => ({
  async up(db) {
    await db.schema
      .alterTable('instances')
      .addColumn('url', textTypes(capabilities).varchar(300), (c) => c.notNull().defaultTo(''))
      .execute()
  },
})
