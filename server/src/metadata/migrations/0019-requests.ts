import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { foreignKey, textTypes } from './columns.ts'

/** Upload requests, and the uploads that they receive. */
export const requests = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    const { varchar, text } = textTypes(capabilities)
    const ofUser = foreignKey(capabilities, ['requests', 'userId'], ['users', 'cascade'])
    await db.schema
      .createTable('requests')
      .addColumn('id', varchar(16), (c) => c.primaryKey())
      .addColumn('userId', varchar(300), (c) => ofUser.onColumn(c))
      .addColumn('tokenHash', varchar(43), (c) => c.notNull())
      .addColumn('title', varchar(256), (c) => c.notNull())
      .addColumn('message', text, (c) => c.notNull())
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('expireAt', 'bigint')
      .addColumn('closedAt', 'bigint')
      .addColumn('removedAt', 'bigint')
      .addColumn('maxFiles', 'bigint', (c) => c.notNull())
      .addColumn('maxFileSize', 'bigint', (c) => c.notNull())
      .addColumn('maxSize', 'bigint', (c) => c.notNull())
      .addColumn('extensions', text, (c) => c.notNull())
      .addColumn('oneSender', 'integer', (c) => c.notNull())
      .addColumn('senderName', varchar(8), (c) => c.notNull())
      .addColumn('passwordHash', varchar(256))
      .addColumn('recipient', text, (c) => c.notNull())
      .addColumn('uploadTtl', 'bigint', (c) => c.notNull())
      .addColumn('afterEnd', varchar(8), (c) => c.notNull())
      .addColumn('uploads', 'integer', (c) => c.notNull())
      .addColumn('seen', 'integer', (c) => c.notNull())
      .addColumn('files', 'bigint', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .execute()
    await ofUser.addConstraint(db)
    await extendUploads(db, capabilities)
    await createIndexes(db, capabilities)
  },
})

async function extendUploads(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar } = textTypes(capabilities)
  const uploads = () => db.schema.alterTable('uploads')
  await uploads().addColumn('requestId', varchar(16)).execute()
  // A copy: a request with the token of a request needs no second query.
  await uploads().addColumn('requestTokenHash', varchar(43)).execute()
  await uploads().addColumn('sender', varchar(256)).execute()
  await uploads().addColumn('maxFileSize', 'bigint').execute()
}

async function createIndexes(
  db: Kysely<unknown>,
  { partialIndexes }: Pick<Capabilities, 'partialIndexes'>,
): Promise<void> {
  const index = (name: string) => db.schema.createIndex(name).on('requests')
  await index('requests_of_user').columns(['userId', 'createdAt', 'id', 'removedAt']).execute()
  await index('requests_by_date').columns(['createdAt', 'id', 'removedAt']).execute()
  await index('requests_by_end').columns(['expireAt', 'id']).execute()
  await index('requests_to_remove').columns(['removedAt', 'id']).execute()
  const ofRequest = db.schema.createIndex('uploads_of_request').on('uploads')
  await (
    partialIndexes
      ? ofRequest
          .columns(['requestId', 'createdAt', 'id', 'options', 'expireAt', 'deletedAt'])
          .where(sql.ref('requestId'), 'is not', null)
          .where(sql.ref('deletedAt'), 'is', null)
      : ofRequest.columns(['requestId', 'deletedAt', 'createdAt', 'id', 'options', 'expireAt'])
  ).execute()
}
