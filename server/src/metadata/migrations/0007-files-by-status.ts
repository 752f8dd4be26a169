import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'

/** Files of a status in the order of their ids, in which cleanup pages through them. */
export const filesByStatus = ({ indexesBelongToTables }: Capabilities): Migration => ({
  async up(db) {
    await db.schema.createIndex('files_by_status').on('files').columns(['status', 'id']).execute()
    const old = db.schema.dropIndex('files_status')
    await (indexesBelongToTables ? old.on('files') : old).execute()
  },
})
