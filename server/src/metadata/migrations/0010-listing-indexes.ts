import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'

/**
 * Indexes with which requests read only rows of their result: for listings with any filter, for the deletion of users
 * with their uploads, and for the files that cleanup handles.
 */
export const listingIndexes = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const drop = async (name: string, table: string) => {
      const old = db.schema.dropIndex(name)
      await (capabilities.indexesBelongToTables ? old.on(table) : old).execute()
    }
    await indexUploads(db, capabilities)
    await drop('uploads_by_date', 'uploads')
    await drop('uploads_by_size', 'uploads')
    if (capabilities.partialIndexes) {
      await indexFiles(db)
      await drop('files_by_status', 'files')
    }
    await indexUsers(db)
    await drop('users_created_at', 'users')
  },
})

/** The options come first: they have 64 combinations, and the rows of each combination are in the order of a listing. */
async function indexUploads(db: Kysely<unknown>, { partialIndexes }: Capabilities): Promise<void> {
  for (const [name, sort] of [
    ['uploads_by_options_date', 'createdAt'],
    ['uploads_by_options_size', 'size'],
  ] as const) {
    const columns = ['options', sort, 'id', 'expireAt'] as const
    const index = db.schema.createIndex(name).on('uploads')
    await (
      partialIndexes
        ? index.columns([...columns, 'deletedAt']).where(sql.ref('deletedAt'), 'is', null)
        : index.columns(['deletedAt', ...columns])
    ).execute()
  }
  // Deleting a user updates all uploads of that user, removed ones included. MySQL already has an index for each foreign
  // key.
  if (partialIndexes)
    await db.schema
      .createIndex('uploads_of_user')
      .on('uploads')
      .column('userId')
      .where(sql.ref('userId'), 'is not', null)
      .execute()
}

/** Most files are stored or deleted: an index of the other files stays small. */
async function indexFiles(db: Kysely<unknown>): Promise<void> {
  for (const status of ['uploading', 'removed'])
    await db.schema
      .createIndex(`files_${status}`)
      .on('files')
      .column('id')
      .where(sql.ref('status'), '=', sql.lit(status))
      .execute()
}

async function indexUsers(db: Kysely<unknown>): Promise<void> {
  const index = (name: string) => db.schema.createIndex(name).on('users')
  // With `removedAt`, so that an index alone counts the users.
  const listed = ['createdAt', 'id', 'removedAt']
  await index('users_by_date').columns(listed).execute()
  await index('users_of_provider')
    .columns(['provider', ...listed])
    .execute()
  await index('users_by_right')
    .columns(['admin', ...listed])
    .execute()
  await index('users_of_provider_by_right')
    .columns(['provider', 'admin', ...listed])
    .execute()
  await db.schema.createIndex('cli_logins_of_user').on('cliLogins').column('userId').execute()
}
