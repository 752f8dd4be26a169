import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** What providers call the accounts of their people for ever. */
export const accountIds = (traits: Capabilities): Migration => ({
  async up(db) {
    await db.schema.alterTable('users').addColumn('accountId', textTypes(traits).varchar(255)).execute()
  },
})
