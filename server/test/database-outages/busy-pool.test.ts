import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { MetadataDialect, NetworkDatabaseOptions } from '../../src/metadata/dialects/dialect.ts'
import { mysqlDialect } from '../../src/metadata/dialects/mysql.ts'
import { postgresDialect } from '../../src/metadata/dialects/postgres.ts'
import type { Schema } from '../../src/metadata/query/schema.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'

const dialects: Readonly<
  Record<(typeof networkKinds)[number], (options: NetworkDatabaseOptions) => MetadataDialect>
> = { postgres: postgresDialect, mysql: mysqlDialect }

for (const kind of networkKinds)
  describeOn(kind, 'a pool whose connections are all used', () => {
    test('rejects a query as busy after its time, not as unreachable, and serves the next one', async () => {
      const { connectionString } = await newDatabase(kind)
      const dialect = dialects[kind]({
        connectionString,
        maxConnections: 1,
        statementTimeout: 0,
        idleTransactionTimeout: 0,
        acquireTimeout: 250,
        startTimeout: 10_000,
        onWaiting: () => undefined,
      })
      await (await openMetadataStore(dialect)).close()
      const db = new Kysely<Schema>({ dialect })
      const read = () => db.selectFrom('settings').select('key').execute()
      await db.transaction().execute(async () => {
        await expect(read()).rejects.toMatchObject({
          code: 'unavailable',
          message: 'the database is busy: try again',
          cause: { message: 'none of the 1 connections (MaxConnections) was free within 250 ms' },
        })
      })
      expect(await read()).toBeInstanceOf(Array)
      await db.destroy()
    })
  })
