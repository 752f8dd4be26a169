import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { migrationsFor } from '../../src/metadata/migrations/index.ts'
import type { Schema } from '../../src/metadata/query/schema.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { describeCluster } from '../support/servers/cluster.ts'

const formerNames = {
  '0010-listing-indexes': '0011-listing-indexes',
  '0011-totals': '0012-totals',
  '0012-hashed-tokens': '0013-hashed-tokens',
  '0013-account-ids': '0014-account-ids',
  '0014-budgets': '0016-budgets',
}

/**
 * Applies all migrations but some of the last.
 * @returns the names of all
 */
async function migrateBut(last: number, config: MetadataBackendConfig): Promise<string[]> {
  const dialect = await openDialect(config, 'service', () => undefined)
  const db = new Kysely<Schema>({ dialect })
  const migrations = migrationsFor(await dialect.capabilities(db))
  const names = Object.keys(migrations).sort()
  const target = names.at(-1 - last)
  if (target !== undefined) {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    const { error } = await migrator.migrateTo(target)
    if (error !== undefined) throw new Error('the migration failed', { cause: error })
  }
  await db.destroy()
  return names
}

describeCluster('servers that start at once', (newCluster) => {
  test.each([
    ['new', Infinity],
    ['at the migration before the last', 1],
  ])('bring a database that is %s up to date', async (_which, missing) => {
    const cluster = await newCluster()
    const names = await migrateBut(missing, cluster.database)
    const open = async () =>
      openMetadataStore(await openDialect(cluster.database, 'service', () => undefined))
    const stores = await Promise.all([open(), open(), open()])
    for (const store of stores) {
      expect(await store.totals.ofServer()).toMatchObject({ users: 0, uploads: 0 })
      await store.close()
    }
    const database = await cluster.connect()
    const applied = await database.query('select name from kysely_migration order by name')
    expect(applied.map((row) => row['name'])).toEqual(names)
  })

  test('update a database whose migrations have their former names', async () => {
    const cluster = await newCluster()
    const names = await migrateBut(2, cluster.database)
    const database = await cluster.connect()
    for (const [present, former] of Object.entries(formerNames))
      await database.query(`update kysely_migration set name = '${former}' where name = '${present}'`)
    const open = async () =>
      openMetadataStore(await openDialect(cluster.database, 'service', () => undefined))
    for (const store of await Promise.all([open(), open(), open()])) await store.close()
    const applied = await database.query('select name from kysely_migration order by name')
    expect(applied.map((row) => row['name'])).toEqual(names)
  })
})
