import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { foreignKey, textTypes } from './columns.ts'

/** Uploads with their files, instances and settings. */
export const uploads = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar, text } = textTypes(capabilities)
    const ofUpload = foreignKey(capabilities, ['files', 'uploadId'], ['uploads', 'no action'])
    await db.schema
      .createTable('uploads')
      .addColumn('id', varchar(16), (c) => c.primaryKey())
      .addColumn('tokenHash', varchar(43), (c) => c.notNull())
      .addColumn('ttl', 'bigint', (c) => c.notNull())
      .addColumn('extendTtl', 'integer', (c) => c.notNull())
      .addColumn('oneShot', 'integer', (c) => c.notNull())
      .addColumn('removable', 'integer', (c) => c.notNull())
      .addColumn('stream', 'integer', (c) => c.notNull())
      .addColumn('login', varchar(128))
      .addColumn('passwordHash', varchar(256))
      .addColumn('comments', text, (c) => c.notNull())
      .addColumn('e2ee', varchar(32), (c) => c.notNull())
      .addColumn('address', varchar(45), (c) => c.notNull())
      .addColumn('fileCount', 'integer', (c) => c.notNull())
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('expireAt', 'bigint')
      .addColumn('deletedAt', 'bigint')
      .execute()
    await db.schema
      .createIndex('uploads_expire_at')
      .on('uploads')
      .columns(['deletedAt', 'expireAt'])
      .execute()

    await db.schema
      .createTable('files')
      .addColumn('id', varchar(16), (c) => c.primaryKey())
      .addColumn('uploadId', varchar(16), (c) => ofUpload.onColumn(c.notNull()))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('reference', varchar(256))
      .addColumn('fileName', varchar(1024), (c) => c.notNull())
      .addColumn('fileSize', 'bigint', (c) => c.notNull())
      .addColumn('type', varchar(255), (c) => c.notNull())
      .addColumn('md5', varchar(32), (c) => c.notNull())
      .addColumn('crc32', 'bigint', (c) => c.notNull())
      .addColumn('status', varchar(16), (c) => c.notNull())
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('uploadedAt', 'bigint')
      .addColumn('instance', varchar(16))
      .addColumn('claim', varchar(16))
      .addColumn('claimUntil', 'bigint')
      .addColumn('brokenDownloads', 'integer', (c) => c.notNull())
      .execute()
    await ofUpload.addConstraint(db)
    await db.schema.createIndex('files_upload_id').on('files').columns(['uploadId', 'position']).execute()
    await db.schema.createIndex('files_status').on('files').columns(['status', 'instance']).execute()

    await db.schema
      .createTable('instances')
      .addColumn('id', varchar(16), (c) => c.primaryKey())
      .addColumn('seenAt', 'bigint', (c) => c.notNull())
      .execute()

    await db.schema
      .createTable('settings')
      .addColumn('key', varchar(64), (c) => c.primaryKey())
      .addColumn('value', text, (c) => c.notNull())
      .execute()
  },
})
