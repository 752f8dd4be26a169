import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** What happened on each day, a row for each figure. */
export const dailyFigures = (traits: Capabilities): Migration => ({
  async up(db) {
    const { varchar } = textTypes(traits)
    await db.schema
      .createTable('dailyFigures')
      .addColumn('day', varchar(10), (c) => c.notNull())
      .addColumn('name', varchar(32), (c) => c.notNull())
      .addColumn('value', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('dailyFigures_key', ['day', 'name'])
      .execute()
  },
})
