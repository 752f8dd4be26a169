import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** The used part of the budgets of networks and accounts, a row for each time window. */
export const budgets = (capabilities: Capabilities): Migration => ({
  async up(db) {
    const { varchar } = textTypes(capabilities)
    await db.schema
      .createTable('budgets')
      .addColumn('key', varchar(43), (c) => c.primaryKey())
      .addColumn('used', 'bigint', (c) => c.notNull())
      .addColumn('until', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('budgets_until').on('budgets').column('until').execute()
  },
})
