import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { openDialect, type Purpose } from '../../src/metadata/open-dialect.ts'
import type { Schema } from '../../src/metadata/query/schema.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'
import { uploadRecord } from '../support/databases/records.ts'
import { userRecord } from '../support/databases/user-records.ts'
import { metadataStoreSuite } from './store-suite/store-suite.ts'

const openStore = async (config: MetadataBackendConfig) =>
  openMetadataStore(await openDialect(config, 'service', () => undefined))

const idleLimit = {
  postgres: 'show idle_in_transaction_session_timeout',
  mysql: 'select @@session.idle_transaction_timeout',
}

for (const kind of networkKinds) {
  describeOn(kind, 'a database on the network', () => {
    metadataStoreSuite(kind, async () => openStore(await newDatabase(kind)))

    test('is migrated once, and keeps its content', async () => {
      const config = await newDatabase(kind)
      const upload = uploadRecord()
      const first = await openStore(config)
      await first.uploads.insert(upload)
      await first.close()
      const second = await openStore(config)
      expect(await second.uploads.find(upload.id)).toEqual(upload)
      await second.close()
    })

    test('is opened by several processes at once while it is new', async () => {
      const config = await newDatabase(kind)
      const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(config)))
      await Promise.all(stores.map((store) => store.close()))
    })

    test('repeats a transaction that conflicts with others', async () => {
      const store = await openStore(await newDatabase(kind))
      const [one, other] = [userRecord(), userRecord()]
      for (const user of [one, other]) await store.users.insert(user)
      const haveWritten = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const
      let started = 0
      const debit = (ids: readonly [string, string], at: 0 | 1) =>
        store.transaction(async (transaction) => {
          started += 1
          await transaction.users.addUsage(ids[0], 1)
          haveWritten[at].resolve(undefined)
          await haveWritten[at === 0 ? 1 : 0].promise
          await transaction.users.addUsage(ids[1], 1)
        })
      await Promise.all([debit([one.id, other.id], 0), debit([other.id, one.id], 1)])
      // At least one of them; the database decides which, and how many times.
      expect(started).toBeGreaterThan(2)
      const used = await Promise.all(
        [one, other].map(async ({ id }) => (await store.users.find(id))?.usedSize),
      )
      expect(used).toEqual([2, 2])
      await store.close()
    })

    test('ends an idle transaction, unless it is an import or export', async () => {
      const config = await newDatabase(kind)
      const limitOf = async (purpose: Purpose) => {
        const db = new Kysely<Schema>({ dialect: await openDialect(config, purpose, () => undefined) })
        const { rows } = await sql<Record<string, unknown>>`${sql.raw(idleLimit[kind])}`.execute(db)
        await db.destroy()
        return rows.flatMap((row) => Object.values(row)).map(String)
      }
      expect([await limitOf('service'), await limitOf('bulk')]).toEqual(
        kind === 'postgres' ? [['1min'], ['0']] : [['60'], ['0']],
      )
    })

    test('receives no text that it could not store', async () => {
      const store = await openStore(await newDatabase(kind))
      await expect(store.uploads.find('a\0b')).rejects.toMatchObject({ code: 'invalid_request', status: 400 })
      await store.close()
    })
  })
}
