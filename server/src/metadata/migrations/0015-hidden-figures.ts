import type { Migration } from 'kysely/migration'

/** What the uploads that a mass removal hides still count in the counters and in the used bytes of their owner. */
export const hiddenFigures: Migration = {
  async up(db) {
    for (const name of ['usedSize', 'uploads', 'files', 'size'])
      await db.schema
        .alterTable('removals')
        .addColumn(name, 'bigint', (c) => c.notNull().defaultTo(0))
        .execute()
  },
}
