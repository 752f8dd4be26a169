import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Capabilities } from '../dialects/dialect.ts'
import { foreignKey, textTypes } from './columns.ts'

/** As in 0002-accounts.ts. */
const userIdLength = 300

/** What accounts are notified of and how, their webhooks, recent events, and the outbox: the messages that are sent. */
export const notifications = (capabilities: Capabilities): Migration => ({
  async up(db: Kysely<unknown>) {
    await createWebhooks(db, capabilities)
    await createOutbox(db, capabilities)
    await createSettings(db, capabilities)
    await createEvents(db, capabilities)
    await createPushSubscriptions(db, capabilities)
  },
})

async function createWebhooks(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar } = textTypes(capabilities)
  const user = foreignKey(capabilities, ['webhooks', 'userId'], ['users', 'cascade'])
  await db.schema
    .createTable('webhooks')
    .addColumn('id', varchar(16), (c) => c.primaryKey())
    .addColumn('userId', varchar(userIdLength), (c) => user.onColumn(c.notNull()))
    .addColumn('url', varchar(1024), (c) => c.notNull())
    .addColumn('events', varchar(256), (c) => c.notNull())
    .addColumn('description', varchar(256), (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('secret', varchar(64), (c) => c.notNull())
    .addColumn('previousSecret', varchar(64))
    .addColumn('previousUntil', 'bigint')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute()
  await user.addConstraint(db)
  await db.schema.createIndex('webhooks_user_id').on('webhooks').columns(['userId', 'createdAt']).execute()
}

async function createOutbox(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar, text } = textTypes(capabilities)
  const user = foreignKey(capabilities, ['deliveries', 'userId'], ['users', 'cascade'])
  await db.schema
    .createTable('deliveries')
    .addColumn('id', varchar(16), (c) => c.primaryKey())
    .addColumn('userId', varchar(userIdLength), (c) => user.onColumn(c))
    .addColumn('channel', varchar(8), (c) => c.notNull())
    .addColumn('target', varchar(16), (c) => c.notNull())
    .addColumn('event', varchar(32), (c) => c.notNull())
    .addColumn('payload', text, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('dueAt', 'bigint')
    .addColumn('claim', varchar(16))
    .addColumn('responseStatus', 'integer')
    .addColumn('error', varchar(256))
    .addColumn('delivered', 'integer', (c) => c.notNull())
    .addColumn('finishedAt', 'bigint')
    .execute()
  await user.addConstraint(db)
  const index = (name: string) => db.schema.createIndex(name).on('deliveries')
  await index('deliveries_due')
    .columns(['dueAt', 'id'])
    .$call((due) => (capabilities.partialIndexes ? due.where(sql.ref('dueAt'), 'is not', null) : due))
    .execute()
  await index('deliveries_target').columns(['target', 'createdAt', 'id']).execute()
  await index('deliveries_user').columns(['userId', 'finishedAt']).execute()
  await index('deliveries_finished')
    .columns(['finishedAt', 'id'])
    .$call((done) => (capabilities.partialIndexes ? done.where(sql.ref('finishedAt'), 'is not', null) : done))
    .execute()
}

async function createSettings(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar } = textTypes(capabilities)
  const user = foreignKey(capabilities, ['notificationSettings', 'userId'], ['users', 'cascade'])
  await db.schema
    .createTable('notificationSettings')
    .addColumn('userId', varchar(userIdLength), (c) => user.onColumn(c.notNull().primaryKey()))
    .addColumn('emailEvents', varchar(256), (c) => c.notNull())
    .addColumn('verifiedEmail', varchar(256))
    .addColumn('language', varchar(16), (c) => c.notNull())
    .addColumn('listeningUntil', 'bigint', (c) => c.notNull())
    .execute()
  await user.addConstraint(db)
}

/** Stored together for each user where a table can be in the order of its key. */
async function createEvents(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar, text } = textTypes(capabilities)
  const user = foreignKey(capabilities, ['events', 'userId'], ['users', 'cascade'])
  await db.schema
    .createTable('events')
    .addColumn('userId', varchar(userIdLength), (c) => user.onColumn(c.notNull()))
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('id', varchar(16), (c) => c.notNull())
    .addColumn('type', varchar(32), (c) => c.notNull())
    .addColumn('payload', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('events_key', ['userId', 'createdAt', 'id'])
    .$call((table) =>
      capabilities.tableOrder === 'by key on request' ? table.modifyEnd(sql`without rowid`) : table,
    )
    .execute()
  await user.addConstraint(db)
  await db.schema.createIndex('events_created_at').on('events').column('createdAt').execute()
}

async function createPushSubscriptions(db: Kysely<unknown>, capabilities: Capabilities): Promise<void> {
  const { varchar } = textTypes(capabilities)
  const user = foreignKey(capabilities, ['pushSubscriptions', 'userId'], ['users', 'cascade'])
  await db.schema
    .createTable('pushSubscriptions')
    .addColumn('id', varchar(16), (c) => c.primaryKey())
    .addColumn('userId', varchar(userIdLength), (c) => user.onColumn(c.notNull()))
    .addColumn('endpoint', varchar(1024), (c) => c.notNull())
    .addColumn('p256dh', varchar(87), (c) => c.notNull())
    .addColumn('auth', varchar(22), (c) => c.notNull())
    .addColumn('events', varchar(256), (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute()
  await user.addConstraint(db)
  await db.schema
    .createIndex('push_subscriptions_user_id')
    .on('pushSubscriptions')
    .columns(['userId', 'createdAt'])
    .execute()
}
