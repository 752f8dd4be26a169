import type { DatabaseConnection } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MetadataDialect } from '../../src/metadata/dialects/dialect.ts'
import { DatabaseError } from '../../src/metadata/dialects/errors.ts'
import { watchFailures } from '../../src/metadata/dialects/watch-failures.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'

const standby = new DatabaseError('read-only', new Error('cannot execute INSERT in a read-only transaction'))

let store: OpenMetadataStore
/** The number of the next insertions that a standby refuses. */
let refusals: number
let reported: unknown[]

/** SQLite with the retries of a database on the network, whose connections lead to a standby for some insertions. */
function failingOver(dialect: MetadataDialect): MetadataDialect {
  const { runSynchronously: _, ...asynchronous } = dialect
  const refusing = (connection: DatabaseConnection): DatabaseConnection => ({
    ...connection,
    executeQuery: (query) => {
      if (query.query.kind !== 'InsertQueryNode' || refusals === 0) return connection.executeQuery(query)
      refusals -= 1
      return Promise.reject(standby)
    },
  })
  return {
    ...asynchronous,
    capabilities: async (db) => ({ ...(await dialect.capabilities(db)), rowLocks: true }),
    createDriver: () => {
      const driver = dialect.createDriver()
      return {
        init: () => driver.init(),
        acquireConnection: async () => refusing(await driver.acquireConnection()),
        beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
        commitTransaction: (connection) => driver.commitTransaction(connection),
        rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
        releaseConnection: (connection) => driver.releaseConnection(connection),
        destroy: () => driver.destroy(),
      }
    },
  }
}

beforeEach(async () => {
  refusals = 0
  reported = []
  const onFailure = (error: unknown) => reported.push(error)
  const database = { driver: 'sqlite3', connectionString: ':memory:', fsync: false } as const
  const dialect = failingOver(await openDialect(database, 'service', () => undefined))
  store = await openMetadataStore(watchFailures(dialect, onFailure), { onFailure })
})
afterEach(() => store.close())

const change = () => store.transaction(({ settings }) => settings.findOrInsert('key', 'value'))

test('a transaction that succeeds on another connection is not reported', async () => {
  refusals = 1
  expect(await change()).toBe('value')
  expect(reported).toEqual([])
})

test('a transaction that no connection accepts is reported once', async () => {
  refusals = 2
  await expect(change()).rejects.toBe(standby)
  expect(reported).toEqual([standby])
})

test('a statement outside of a transaction is reported', async () => {
  refusals = 1
  await expect(store.settings.findOrInsert('key', 'value')).rejects.toBe(standby)
  expect(reported).toEqual([standby])
})
