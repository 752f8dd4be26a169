import type { CompiledQuery } from 'kysely'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqliteDialect } from '../../src/metadata/dialects/sqlite/sqlite.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { uploadRecord } from '../support/databases/records.ts'
import { userRecord } from '../support/databases/user-records.ts'
import { watchedQueries } from '../support/databases/watched-queries.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

let directory: string
let store: OpenMetadataStore
let database: DatabaseSync
let statements: CompiledQuery[] = []
beforeAll(async () => {
  directory = await temporaryDirectory()
  const path = join(directory, 'svc.db')
  store = await openMetadataStore(watchedQueries(sqliteDialect(path), (query) => statements.push(query)))
  database = new DatabaseSync(path)
})
afterAll(async () => {
  database.close()
  await store.close()
})

const plan = ({ sql, parameters }: CompiledQuery) =>
  database
    .prepare(`explain query plan ${sql}`)
    .all(...(parameters as SQLInputValue[]))
    .map(({ detail }) => String(detail))

const cursor = { value: 5, id: 'u' }
const ways = [{ after: cursor }, { before: cursor }, { after: { ...cursor, inclusive: true as const } }]
const filters = [{}, { userId: 'local:me' }]
const sorts = ['createdAt', 'size'] as const

test.each(ways.flatMap((way) => filters.flatMap((filter) => sorts.map((sort) => ({ way, filter, sort })))))(
  'SQLite finds a page beyond $way of $filter by $sort by index, also among equal keys',
  async ({ way, filter, sort }) => {
    statements = []
    await store.uploads.page(filter, sort, { limit: 20, order: 'desc', ...way }, 0)
    const [rows = [], ...others] = statements.filter(({ sql }) => !sql.includes('from "removals"')).map(plan)
    expect(others).toHaveLength(1)
    const searches = rows.filter((step) => step.startsWith('SEARCH uploads USING'))
    // A listing of all uploads has a part for each combination of options.
    expect(searches).toHaveLength('userId' in filter ? 1 : 64)
    for (const search of searches)
      expect(search).toMatch(new RegExp(`^SEARCH uploads USING .*\\(${sort},id\\)`))
  },
)

test.each(sorts)(
  'SQLite counts rare uploads of one user by %s from the end of the first page on',
  async (sort) => {
    const user = userRecord()
    await store.users.insert(user)
    for (let n = 0; n < 30; n += 1)
      await store.uploads.insert(
        uploadRecord({
          userId: user.id,
          createdAt: n,
          size: n % 3,
          oneShot: n % 2 === 0 ? 1 : 0,
          options: n % 2 === 0 ? 1 : 0,
        }),
      )
    statements = []
    const page = await store.uploads.page(
      { userId: user.id, oneShot: true },
      sort,
      { limit: 5, order: 'desc' },
      0,
    )
    expect(page).toMatchObject({ total: 15, totalIsLowerBound: false })
    const [, count = []] = statements.filter(({ sql }) => !sql.includes('from "removals"')).map(plan)
    expect(count).toContainEqual(
      expect.stringMatching(
        new RegExp(`^SEARCH uploads USING COVERING INDEX .* \\(userId=\\? AND \\(${sort},id\\)<`),
      ),
    )
  },
)

test('SQLite resumes the cleanup of removed files by index', async () => {
  statements = []
  await store.files.findAbandoned('removed', { aliveSince: 0, exceptInstance: 'me' }, 'f', 100)
  expect(statements.flatMap(plan)[0]).toBe('SEARCH files USING INDEX files_removed (id>?)')
  expect(statements.flatMap(plan)).not.toContainEqual(expect.stringContaining('TEMP B-TREE'))
})

test('SQLite finds files of one removal by their keys, and those with deleted data among the removed', async () => {
  statements = []
  await store.uploadBatches.removeFiles([
    { id: 'f1', uploadId: 'u1' },
    { id: 'f2', uploadId: 'u2' },
  ])
  await store.files.markDeleted(['f1', 'f2'])
  const searches = statements.flatMap(plan).filter((step) => /^(SCAN|SEARCH) files/.test(step))
  expect(searches).toEqual([
    'SEARCH files USING PRIMARY KEY (uploadId=? AND id=?)',
    'SEARCH files USING INDEX files_removed (id=?)',
  ])
})

test('SQLite scans files and looks them up by id for a verification', async () => {
  statements = []
  await store.verification.after('f', 100)
  await store.files.findStarted(['f1', 'f2'])
  const searches = statements.flatMap(plan).filter((step) => step.includes('files'))
  expect(searches).toEqual([
    'SEARCH files USING INDEX files_begun (id>?)',
    'SEARCH files USING INDEX files_begun (id=?)',
  ])
})
