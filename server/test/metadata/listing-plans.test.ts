import type { CompiledQuery } from 'kysely'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { fillDatabase } from '../plans/large-database.ts'
import { describeOn, newDatabase } from '../support/databases/network-databases.ts'
import { watchedQueries } from '../support/databases/watched-queries.ts'

const now = Date.UTC(2026, 0, 1)
const options = ['oneShot', 'removable', 'stream', 'extendTtl', 'password', 'e2ee'] as const
const filters = options.flatMap((option) => [{ [option]: true }, { [option]: false }])

describeOn('mysql', 'listings of all uploads', () => {
  let store: OpenMetadataStore
  let connection: mysql.Connection
  let statements: CompiledQuery[] = []
  beforeAll(async () => {
    const config = await newDatabase('mysql')
    await fillDatabase(config, { uploads: 15_000, users: 100, now })
    const dialect = await openDialect(config, 'service', () => undefined)
    store = await openMetadataStore(watchedQueries(dialect, (query) => statements.push(query)))
    connection = await mysql.createConnection({ uri: config.connectionString })
  })
  afterAll(async () => {
    await store.close()
    await connection.end()
  })

  /** How the plan of a statement reads the table of uploads. */
  async function readsOfUploads({ sql, parameters }: CompiledQuery): Promise<readonly string[]> {
    const [steps] = await connection.query(`explain ${sql}`, [...parameters])
    return (steps as { readonly table: string | null; readonly Extra: string | null }[])
      .filter(({ table }) => table === 'uploads')
      .map(({ Extra }) => Extra ?? '')
  }

  test.each([{}, ...filters])('with %j read and count rows in an index only', async (filter) => {
    for (const sort of ['createdAt', 'size'] as const) {
      statements = []
      await store.uploads.keyPage(filter, sort, { limit: 100, order: 'desc' }, now)
      const reads = (await Promise.all(statements.map(readsOfUploads))).flat()
      expect(reads).not.toEqual([])
      // "Using index condition" reads the row of each entry.
      expect(reads.filter((extra) => !/Using index(?:;|$)/.test(extra))).toEqual([])
    }
  })
})
