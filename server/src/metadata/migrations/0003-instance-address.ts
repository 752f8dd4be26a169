import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** Where instances reach each other. */
export const instanceAddress = (traits: Capabilities): Migration => ({
  async up(db) {
    await db.schema
      .alterTable('instances')
      .addColumn('url', textTypes(traits).varchar(300), (c) => c.notNull().defaultTo(''))
      .execute()
  },
})
