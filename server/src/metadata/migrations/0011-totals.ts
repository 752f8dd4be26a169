import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { countTotals } from '../stats/count-totals.ts'
import { textTypes } from './columns.ts'

/** Counters of users, uploads, files and bytes, for stats. */
export const totals = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar } = textTypes(capabilities)
    await db.schema
      .createTable('totals')
      .addColumn('owner', varchar(300), (c) => c.notNull())
      .addColumn('shard', 'integer', (c) => c.notNull())
      .addColumn('users', 'bigint', (c) => c.notNull())
      .addColumn('uploads', 'bigint', (c) => c.notNull())
      .addColumn('files', 'bigint', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('totals_key', ['owner', 'shard'])
      .execute()
    await countTotals(db)
  },
})
