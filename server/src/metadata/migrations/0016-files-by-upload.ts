import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { textTypes } from './columns.ts'

/**
 * Stores the files of an upload together, where a table can be stored in the order of its primary key. A declared file
 * then needs no index entry. Resumable uploads get the column `uploadId`, which is part of that key.
 */
export const filesByUpload = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar } = textTypes(capabilities)
    await db.schema
      .alterTable('resumables')
      .addColumn('uploadId', varchar(16), (c) => c.notNull().defaultTo(''))
      .execute()
    await sql`
      update resumables set ${sql.ref('uploadId')} = coalesce(
        (select files.${sql.ref('uploadId')} from files where files.id = resumables.${sql.ref('fileId')}), '')
    `.execute(db)
    if (capabilities.tableOrder === 'by key on request') await orderByKey(db)
  },
})

/** The columns before this migration, with the types of SQLite. */
const fileColumns = [
  'id',
  'uploadId',
  'position',
  'reference',
  'fileName',
  'fileSize',
  'type',
  'md5',
  'crc32',
  'status',
  'createdAt',
  'uploadedAt',
  'instance',
  'claim',
  'claimUntil',
  'brokenDownloads',
  'reserved',
  'sealed',
] as const

const resumableColumns = [
  'fileId',
  'uploadId',
  'size',
  'received',
  'session',
  'type',
  'writer',
  'successor',
  'expireAt',
] as const

async function orderByKey(db: Kysely<unknown>): Promise<void> {
  await createFiles(db)
  await copy(db, fileColumns, ['files', 'newFiles'])
  await createResumables(db)
  await copy(db, resumableColumns, ['resumables', 'newResumables'])
  await db.schema.dropTable('resumables').execute()
  await db.schema.dropTable('files').execute()
  // SQLite updates the foreign key of `newResumables` when `newFiles` is renamed.
  await db.schema.alterTable('newFiles').renameTo('files').execute()
  await db.schema.alterTable('newResumables').renameTo('resumables').execute()
  await createIndexes(db)
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('newFiles')
    .addColumn('id', 'varchar(16)', (c) => c.notNull())
    .addColumn('uploadId', 'varchar(16)', (c) => c.notNull().references('uploads.id').onDelete('no action'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('reference', 'varchar(256)')
    .addColumn('fileName', 'varchar(1024)', (c) => c.notNull())
    .addColumn('fileSize', 'bigint', (c) => c.notNull())
    .addColumn('type', 'varchar(255)', (c) => c.notNull())
    .addColumn('md5', 'varchar(32)', (c) => c.notNull())
    .addColumn('crc32', 'bigint', (c) => c.notNull())
    .addColumn('status', 'varchar(16)', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('uploadedAt', 'bigint')
    .addColumn('instance', 'varchar(16)')
    .addColumn('claim', 'varchar(16)')
    .addColumn('claimUntil', 'bigint')
    .addColumn('brokenDownloads', 'integer', (c) => c.notNull())
    .addColumn('reserved', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('sealed', 'integer', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('files_key', ['uploadId', 'id'])
    .modifyEnd(sql`without rowid`)
    .execute()
}

async function createResumables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('newResumables')
    .addColumn('fileId', 'varchar(16)', (c) => c.notNull().primaryKey())
    .addColumn('uploadId', 'varchar(16)', (c) => c.notNull())
    .addColumn('size', 'bigint')
    .addColumn('received', 'bigint', (c) => c.notNull())
    .addColumn('session', 'text', (c) => c.notNull())
    .addColumn('type', 'varchar(255)', (c) => c.notNull())
    .addColumn('writer', 'varchar(16)')
    .addColumn('successor', 'varchar(16)')
    .addColumn('expireAt', 'bigint', (c) => c.notNull())
    .addForeignKeyConstraint('resumables_file', ['uploadId', 'fileId'], 'newFiles', ['uploadId', 'id'])
    .execute()
}

/** Copies in the order of the new table, so that each row is appended. */
async function copy(
  db: Kysely<unknown>,
  columns: readonly string[],
  [from, to]: readonly [string, string],
): Promise<void> {
  const names = sql.join(columns.map((name) => sql.ref(name)))
  await sql`
    insert into ${sql.table(to)} (${names}) select ${names} from ${sql.table(from)}
    order by ${sql.ref('uploadId')}, ${sql.ref(columns[0] ?? '')}
  `.execute(db)
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string) => db.schema.createIndex(name).on('files')
  for (const status of ['uploading', 'removed'])
    await index(`files_${status}`).column('id').where(sql.ref('status'), '=', sql.lit(status)).execute()
  // Verification looks files up by id, because data is stored under the id alone.
  await index('files_begun')
    .unique()
    .column('id')
    .where(sql.ref('status'), '!=', sql.lit('missing'))
    .execute()
  await index('files_sealed')
    .columns(['sealed', 'claimUntil'])
    .where(sql.ref('sealed'), '=', sql.lit(1))
    .execute()
  await db.schema.createIndex('resumables_expire_at').on('resumables').column('expireAt').execute()
}
