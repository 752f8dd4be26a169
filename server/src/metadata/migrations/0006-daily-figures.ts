import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** Daily counters, a row for each counter and day. */
export const dailyFigures = (capabilities: Capabilities): Migration => ({
  async up(db) {
    const { varchar } = textTypes(capabilities)
    await db.schema
      .createTable('dailyFigures')
      .addColumn('day', varchar(10), (c) => c.notNull())
      .addColumn('name', varchar(32), (c) => c.notNull())
      .addColumn('value', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('dailyFigures_key', ['day', 'name'])
      .execute()
  },
})
