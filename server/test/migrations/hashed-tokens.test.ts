import { randomUUID } from 'node:crypto'
import { userToken } from '@svc/contract'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { userTokenKeys } from '../../src/domain/user-token-keys.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { migrationsFor } from '../../src/metadata/migrations/index.ts'
import type { Schema } from '../../src/metadata/query/schema.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { cuttableDatabase } from '../support/databases/cuttable-database.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'

const prefixed = userToken('p'.repeat(30))
const legacy = randomUUID()
/** In uploads alone. */
const revoked = userToken('r'.repeat(30))

const dialectOf = (config: MetadataBackendConfig) => openDialect(config, 'service', () => undefined)

/** A database as it was before tokens were hashed, with whole tokens in it. */
async function withWholeTokens(cluster: Cluster): Promise<void> {
  const dialect = await dialectOf(cluster.database)
  const db = new Kysely<Schema>({ dialect })
  const all = migrationsFor(await dialect.capabilities(db))
  const earlier = Object.fromEntries(Object.entries(all).filter(([name]) => name < '0012'))
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(earlier) } })
  const { error } = await migrator.migrateToLatest()
  await db.destroy()
  if (error !== undefined) throw new Error('the migration failed', { cause: error })
  const database = await cluster.connect()
  const query = (sql: string) => database.query(sql)
  await query(`insert into users ("id", "provider", "login", "name", "email", "admin", "maxFileSize", "maxUserSize", "maxTTL",
    "theme", "language", "usedSize", "createdAt") values ('local:bob', 'local', 'bob', '', '', 0, 0, 0, 0, '', '', 0, 1)`)
  for (const [token, end] of [
    [prefixed, 'null'],
    [legacy, '9000'],
  ] as const)
    await query(`insert into tokens ("token", "userId", "comment", "createdAt", "expireAt")
      values ('${token}', 'local:bob', 'c', 1, ${end})`)
  for (const [id, token, deleted] of [
    ['A', prefixed, 'null'],
    ['B', prefixed, '5'],
    ['C', revoked, 'null'],
    ['D', null, 'null'],
  ] as const) {
    const by = token === null ? 'null' : `'${token}'`
    await query(`insert into uploads ("id", "tokenHash", "ttl", "extendTtl", "oneShot", "removable", "stream", "comments",
      "e2ee", "address", "fileCount", "createdAt", "deletedAt", "userToken")
      values ('${id.repeat(16)}', 'h', 1, 0, 0, 0, 0, '', '', '', 0, 1, ${deleted}, ${by})`)
  }
}

/** What is made of it by the start of a server. */
async function expectHashes(cluster: Cluster): Promise<void> {
  const store = await openMetadataStore(await dialectOf(cluster.database))
  for (const [token, expireAt] of [
    [prefixed, null],
    [legacy, 9_000],
  ] as const) {
    const { id, tokenHash } = userTokenKeys(token)
    expect(await store.tokens.findUser(id)).toMatchObject({
      id: 'local:bob',
      tokenHash,
      tokenScopes: null,
      tokenRenewal: null,
      tokenExpireAt: expireAt,
    })
  }
  const { results } = await store.tokens.page('local:bob', { limit: 5, order: 'asc' })
  expect(results.map(({ prefix }) => prefix).toSorted()).toEqual(
    [prefixed, legacy].map((token) => token.slice(0, 9)).toSorted(),
  )
  await store.close()
  const database = await cluster.connect()
  const used = await database.query('select "userToken" as used from uploads order by "id"')
  const [ofPrefixed, ofRevoked] = [userTokenKeys(prefixed).id, userTokenKeys(revoked).id]
  expect(used.map((row) => row['used'])).toEqual([ofPrefixed, ofPrefixed, ofRevoked, null])
}

describeCluster('tokens that were kept whole', (newCluster) => {
  test('are kept as hashes after the next start, and uploads name them by their ids', async () => {
    const cluster = await newCluster()
    await withWholeTokens(cluster)
    await expectHashes(cluster)
  })

  test.each([
    ['before the second token', /update .tokens. set/],
    ['before the uploads', /update .uploads. set/],
    ['before the column has its name', /rename column/],
    ['after its last change', /insert into .kysely_migration. /],
  ])('are so, too, when the migration is interrupted %s', async (_moment, next) => {
    const cluster = await newCluster()
    // A file has no connection that could be cut.
    if (cluster.kind === 'sqlite3') return
    await withWholeTokens(cluster)
    const way = await cuttableDatabase(cluster.database.connectionString)
    way.leaveOn(next)
    const cut = { ...cluster.database, connectionString: way.connectionString }
    await expect(openMetadataStore(await dialectOf(cut))).rejects.toThrow('could not be opened or migrated')
    await way.close()
    await expectHashes(cluster)
  })
})
