import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { foreignKey, textTypes } from './columns.ts'

/** Characters: `oidc:` and a subject of at most 255; an email address is shorter. */
const userIdLength = 300

/** Users, with their sessions, tokens and logins, and the sizes of uploads. */
export const accounts = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    await createUsers(db, capabilities)
    await createUserBelongings(db, capabilities)
    await createGuards(db, capabilities)
    await extendUploads(db, capabilities)
    await replaceIndexes(db, capabilities)
  },
})

async function createUsers(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar } = textTypes(capabilities)
  await db.schema
    .createTable('users')
    .addColumn('id', varchar(userIdLength), (c) => c.primaryKey())
    .addColumn('provider', varchar(8), (c) => c.notNull())
    .addColumn('issuer', varchar(512))
    .addColumn('login', varchar(256), (c) => c.notNull())
    .addColumn('name', varchar(256), (c) => c.notNull())
    .addColumn('email', varchar(256), (c) => c.notNull())
    .addColumn('passwordHash', varchar(256))
    .addColumn('admin', 'integer', (c) => c.notNull())
    .addColumn('maxFileSize', 'bigint', (c) => c.notNull())
    .addColumn('maxUserSize', 'bigint', (c) => c.notNull())
    .addColumn('maxTTL', 'bigint', (c) => c.notNull())
    .addColumn('theme', varchar(256), (c) => c.notNull())
    .addColumn('language', varchar(256), (c) => c.notNull())
    .addColumn('usedSize', 'bigint', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('users_created_at').on('users').columns(['createdAt', 'id']).execute()
}

async function createUserBelongings(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar } = textTypes(capabilities)
  const ofUser = (table: string) => foreignKey(capabilities, [table, 'userId'], ['users', 'cascade'])
  await db.schema
    .createTable('sessions')
    .addColumn('id', varchar(32), (c) => c.primaryKey())
    .addColumn('userId', varchar(userIdLength), (c) => ofUser('sessions').onColumn(c.notNull()))
    .addColumn('userAgent', varchar(256), (c) => c.notNull())
    .addColumn('address', varchar(45), (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('usedAt', 'bigint', (c) => c.notNull())
    .addColumn('expireAt', 'bigint', (c) => c.notNull())
    .execute()
  await ofUser('sessions').addConstraint(db)
  await db.schema.createIndex('sessions_user_id').on('sessions').columns(['userId', 'createdAt']).execute()
  await db.schema.createIndex('sessions_expire_at').on('sessions').column('expireAt').execute()

  await db.schema
    .createTable('tokens')
    .addColumn('token', varchar(41), (c) => c.primaryKey())
    .addColumn('userId', varchar(userIdLength), (c) => ofUser('tokens').onColumn(c.notNull()))
    .addColumn('comment', varchar(256), (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('usedAt', 'bigint')
    .addColumn('expireAt', 'bigint')
    .execute()
  await ofUser('tokens').addConstraint(db)
  await db.schema
    .createIndex('tokens_user_id')
    .on('tokens')
    .columns(['userId', 'createdAt', 'token'])
    .execute()

  await db.schema
    .createTable('cliLogins')
    .addColumn('code', varchar(9), (c) => c.primaryKey())
    .addColumn('secretHash', varchar(43), (c) => c.notNull())
    .addColumn('hostname', varchar(256), (c) => c.notNull())
    .addColumn('comment', varchar(256), (c) => c.notNull())
    .addColumn('userId', varchar(userIdLength), (c) => ofUser('cliLogins').onColumn(c))
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('expireAt', 'bigint', (c) => c.notNull())
    .execute()
  await ofUser('cliLogins').addConstraint(db)
  await db.schema.createIndex('cli_logins_expire_at').on('cliLogins').column('expireAt').execute()
}

async function createGuards(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar } = textTypes(capabilities)
  await db.schema
    .createTable('attempts')
    .addColumn('key', varchar(43), (c) => c.primaryKey())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('until', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('attempts_until').on('attempts').column('until').execute()
}

async function extendUploads(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar } = textTypes(capabilities)
  const owner = foreignKey(capabilities, ['uploads', 'userId'], ['users', 'set null'])
  const uploads = () => db.schema.alterTable('uploads')
  // When a user is deleted, the uploads stay, without an owner.
  await uploads()
    .addColumn('userId', varchar(userIdLength), (c) => owner.onColumn(c))
    .execute()
  await owner.addConstraint(db)
  await uploads().addColumn('userToken', varchar(41)).execute()
  await uploads()
    .addColumn('size', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await uploads()
    .addColumn('options', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('files')
    .addColumn('reserved', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`
    update uploads set size = coalesce(
      (select sum(case when status = 'uploaded' then ${sql.ref('fileSize')} else 0 end) from files
        where ${sql.ref('uploadId')} = uploads.id), 0),
      options = ${sql.ref('oneShot')} + 2 * removable + 4 * stream + 8 * ${sql.ref('extendTtl')}
        + case when ${sql.ref('passwordHash')} is null then 0 else 16 end
        + case when e2ee = '' then 0 else 32 end
    where ${sql.ref('deletedAt')} is null
  `.execute(db)
}

async function replaceIndexes(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const old = db.schema.dropIndex('uploads_expire_at')
  await (capabilities.indexesBelongToTables ? old.on('uploads') : old).execute()
  const index = (name: string) => db.schema.createIndex(name).on('uploads')
  for (const [name, columns] of Object.entries(listingIndexes)) {
    const present = index(name).columns(capabilities.partialIndexes ? columns : presentFirst(columns))
    await (capabilities.partialIndexes ? present.where(sql.ref('deletedAt'), 'is', null) : present).execute()
  }
  for (const [name, [owner, ...order]] of Object.entries(ownersIndexes)) {
    const present = index(name).columns([
      owner,
      ...(capabilities.partialIndexes ? order : presentFirst(order)),
    ])
    // Most uploads are anonymous, and no query looks them up by owner.
    const owned = present.where(sql.ref(owner), 'is not', null).where(sql.ref('deletedAt'), 'is', null)
    await (capabilities.partialIndexes ? owned : present).execute()
  }
}

/** Without partial indexes, removed uploads are kept apart by the first column, so that listings do not read them. */
const presentFirst = <Column extends string>(columns: readonly Column[]) => [
  'deletedAt' as const,
  ...columns.filter((column) => column !== 'deletedAt'),
]

/**
 * One for each order of a listing, with all columns that counting needs. `deletedAt` is among them because SQLite does
 * not infer from the condition of a partial index that all its rows have the value null.
 */
const listingIndexes = {
  uploads_by_end: ['expireAt', 'deletedAt'],
  uploads_by_date: ['createdAt', 'id', 'options', 'expireAt', 'deletedAt'],
  uploads_by_size: ['size', 'id', 'options', 'expireAt', 'deletedAt'],
}

/** The same for the uploads of one user, or of one token. */
const ownersIndexes = {
  uploads_of_user_by_date: ['userId', 'createdAt', 'id', 'options', 'expireAt', 'deletedAt'],
  uploads_of_user_by_size: ['userId', 'size', 'id', 'options', 'expireAt', 'deletedAt'],
  uploads_of_token: ['userToken', 'createdAt', 'id', 'options', 'expireAt', 'deletedAt'],
} as const
