import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/** Private keys of upload requests, encrypted for passkeys of their owner. */
export const passkeyIdentities = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('requests')
      .addColumn('passkeyIdentities', textTypes(capabilities).text)
      .execute()
  },
})
