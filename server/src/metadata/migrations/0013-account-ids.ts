import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** The permanent ids that identity providers give to accounts. */
export const accountIds = (capabilities: Capabilities): Migration => ({
  async up(db) {
    await db.schema.alterTable('users').addColumn('accountId', textTypes(capabilities).varchar(255)).execute()
  },
})
