import { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { afterEach, expect, test } from 'vitest'
import type { Capabilities } from '../../src/metadata/dialects/dialect.ts'
import { migrationsFor } from '../../src/metadata/migrations/index.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'
import { breakingChanges, schemaOf } from './schema-rules.ts'

/** Servers of the version before must work with every migration after this one. */
const baseline = '0023-aliases'

/**
 * Migrations with which all servers must stop before an update, by their reason. The release notes of their version say so in their
 * first line.
 */
const exceptions: Readonly<Record<string, string>> = {}

const open: Kysely<unknown>[] = []
afterEach(async () => {
  for (const db of open.splice(0)) await db.destroy()
})

/** A new database, and a function that applies one more migration and returns the changes that break the version before. */
async function atBaseline({ database }: Cluster, more: Readonly<Record<string, Migration>> = {}) {
  const dialect = await openDialect(database, 'service', () => undefined)
  const db = new Kysely<unknown>({ dialect })
  open.push(db)
  const capabilities: Capabilities = await dialect.capabilities(db)
  const migrations = { ...migrationsFor(capabilities), ...more }
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const migrateTo = async (name: string) => {
    const { error } = await migrator.migrateTo(name)
    if (error !== undefined) throw new Error(`${name} failed`, { cause: error })
  }
  await migrateTo(baseline)
  return {
    later: Object.keys(migrations)
      .filter((name) => name > baseline)
      .sort(),
    changesOf: async (name: string) => {
      const before = await schemaOf(db, database.driver)
      await migrateTo(name)
      return breakingChanges(before, await schemaOf(db, database.driver))
    },
  }
}

test('exceptions name migrations after the baseline and have a reason', () => {
  for (const [name, reason] of Object.entries(exceptions)) {
    expect(name > baseline).toBe(true)
    expect(reason).not.toBe('')
  }
})

describeCluster('the program before a migration', (newCluster) => {
  test('works with every migration after the baseline', async () => {
    const { later, changesOf } = await atBaseline(await newCluster())
    for (const name of later) {
      const changes = await changesOf(name)
      // An exception that breaks nothing is not needed any more.
      if (name in exceptions) expect(changes, name).not.toEqual([])
      else expect(changes, name).toEqual([])
    }
  })

  const additive = async (db: Kysely<unknown>) => {
    await db.schema.alterTable('files').addColumn('note', 'bigint').execute()
    await db.schema
      .alterTable('files')
      .addColumn('stars', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('notes')
      .addColumn('id', 'integer', (column) => column.notNull().primaryKey())
      .execute()
    await db.schema.createIndex('files_by_stars').on('files').column('stars').execute()
  }

  test('works with new tables, indexes, and columns that may be left out', async () => {
    const { changesOf } = await atBaseline(await newCluster(), { '9999-added': { up: additive } })
    expect(await changesOf('9999-added')).toEqual([])
  })

  test.each<[string, (db: Kysely<unknown>) => Promise<void>, string]>([
    ['a dropped table', (db) => db.schema.dropTable('aliases').execute(), 'the table aliases is gone'],
    [
      'a renamed table',
      (db) => db.schema.alterTable('aliases').renameTo('shortLinks').execute(),
      'the table aliases is gone',
    ],
    [
      'a dropped column',
      (db) => db.schema.alterTable('uploads').dropColumn('sender').execute(),
      'uploads.sender is gone',
    ],
    [
      'a renamed column',
      (db) => db.schema.alterTable('uploads').renameColumn('sender', 'from').execute(),
      'uploads.sender is gone',
    ],
    [
      'a new unique index',
      (db) => db.schema.createIndex('one_sender').on('uploads').column('requestId').unique().execute(),
      'a new rule can refuse rows: uploads: unique one_sender',
    ],
  ])('does not work with %s', async (_what, up, change) => {
    const { changesOf } = await atBaseline(await newCluster(), { '9999-breaking': { up } })
    expect(await changesOf('9999-breaking')).toEqual([change])
  })

  test('does not work with a new column that must have a value', async () => {
    const cluster = await newCluster()
    // SQLite cannot add such a column, but can create the table anew.
    const up = async (db: Kysely<unknown>) => {
      const settings = () =>
        db.schema
          .createTable('settings')
          .addColumn('key', 'varchar(64)', (column) => column.primaryKey())
          .addColumn('value', 'text', (column) => column.notNull())
          .addColumn('changedAt', 'bigint', (column) => column.notNull())
      if (cluster.kind === 'sqlite3') {
        await db.schema.dropTable('settings').execute()
        await settings().execute()
      } else
        await db.schema
          .alterTable('settings')
          .addColumn('changedAt', 'bigint', (column) => column.notNull())
          .execute()
    }
    const { changesOf } = await atBaseline(cluster, { '9999-breaking': { up } })
    expect(await changesOf('9999-breaking')).toEqual([
      'settings.changedAt is new, not null and without a default',
    ])
  })
})
