import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'

/** One-shot files whose last bytes may have been sent. Cleanup finds them by the expiry of their claims. */
export const sealedClaims = ({ partialIndexes }: Capabilities): Migration => ({
  async up(db) {
    await db.schema
      .alterTable('files')
      .addColumn('sealed', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('files_sealed')
      .on('files')
      .columns(['sealed', 'claimUntil'])
      .$call((index) => (partialIndexes ? index.where(sql.ref('sealed'), '=', sql.lit(1)) : index))
      .execute()
  },
})
