import type { Migration } from 'kysely/migration'

/** Counts of the uploads that a mass removal hides, which the counters and the used bytes of their owner still include. */
export const hiddenFigures: Migration = {
  async up(db) {
    for (const name of ['usedSize', 'uploads', 'files', 'size'])
      await db.schema
        .alterTable('removals')
        .addColumn(name, 'bigint', (c) => c.notNull().defaultTo(0))
        .execute()
  },
}
