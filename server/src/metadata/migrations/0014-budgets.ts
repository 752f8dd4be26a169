import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** What networks and accounts have used of their budgets, a row for each in each window of time. */
export const budgets = (traits: Capabilities): Migration => ({
  async up(db) {
    const { varchar } = textTypes(traits)
    await db.schema
      .createTable('budgets')
      .addColumn('key', varchar(43), (c) => c.primaryKey())
      .addColumn('used', 'bigint', (c) => c.notNull())
      .addColumn('until', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('budgets_until').on('budgets').column('until').execute()
  },
})
