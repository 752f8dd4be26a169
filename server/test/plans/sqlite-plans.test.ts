import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/http/routes.ts'
import { openFixture, type AccessFixture } from '../access/fixture/fixture.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { queryWatcher } from '../support/databases/watched-queries.ts'
import { exerciseRoutes } from './exercise.ts'
import { fillDatabase, serverDirectory } from './large-database.ts'
import { collectStatements, isExcused, largeTables } from './statements.ts'

const statements = collectStatements()
let exercised: ReadonlySet<string>
let directory: string
let fixture: AccessFixture
let database: DatabaseSync
beforeAll(async () => {
  directory = await serverDirectory()
  const connectionString = join(directory, 'svc.db')
  const clock = manualClock()
  await fillDatabase(
    { driver: 'sqlite3', connectionString, fsync: false },
    { uploads: 4_000, users: 200, now: clock.now() },
  )
  fixture = await openFixture({
    directory,
    clock,
    databaseWatcher: queryWatcher((query) => {
      statements.add(query)
    }),
  })
  exercised = await exerciseRoutes(fixture)
  await fixture.main.clean()
  database = new DatabaseSync(connectionString)
}, 600_000)
afterAll(async () => {
  database.close()
  await fixture.close()
})

/** The steps of a plan in the words of SQLite, including actions of foreign keys. */
const planOf = ({ sql, parameters }: CompiledQuery): string[] =>
  database
    .prepare(`explain query plan ${sql}`)
    .all(...(parameters as SQLInputValue[]))
    .map(({ detail }) => String(detail))

/** Partial indexes, which stay small. */
const partialIndexes = (): ReadonlySet<string> =>
  new Set(
    database
      .prepare(`select name from sqlite_schema where type = 'index' and sql like '% where %'`)
      .all()
      .map(({ name }) => String(name)),
  )

/** Names of a table in a plan. */
const aliasesOf = ({ sql }: CompiledQuery, table: string): string[] => [
  table,
  ...[...sql.matchAll(new RegExp(`"${table}" as "(\\w+)"`, 'g'))].map(([, alias = '']) => alias),
]

/** The parts of a plan whose cost grows with the number of rows. */
function faultsOf(query: CompiledQuery): string[] {
  const plan = planOf(query)
  const isLimited = / limit \?/.test(query.sql) && !plan.some((step) => step.includes('TEMP B-TREE'))
  const partial = partialIndexes()
  const ofLarge = largeTables.flatMap((table) => aliasesOf(query, table))
  return plan.filter((step) => {
    const [, verb, name = ''] = /^(SCAN|SEARCH) (\w+)/.exec(step) ?? []
    if (verb === undefined || !ofLarge.includes(name)) return false
    const [, index = ''] = /INDEX (\w+)/.exec(step) ?? []
    // In the order of an index, a query with a limit ends when it has its rows.
    if (verb === 'SCAN') return !(isLimited && index !== '')
    if (name !== 'uploads' && name !== 'files') return false
    return !partial.has(index) && !/\((id|uploadId)=\?/.test(step)
  })
}

test('the exercise sends a request to every route', () => {
  expect(routes.map(({ name }) => name).filter((name) => !exercised.has(name))).toEqual([])
  expect(statements.all().length).toBeGreaterThan(80)
})

const faults = () =>
  statements
    .all()
    .filter((query) => !isExcused(query))
    .map((query) => ({ sql: query.sql, faults: faultsOf(query) }))
    .filter((found) => found.faults.length > 0)

test('no statement of a request reads a whole table, or an index of removed rows (without statistics)', () => {
  // The import has left some.
  database.exec('delete from sqlite_stat1; analyze sqlite_schema')
  expect(faults()).toEqual([])
})

test('the same holds with statistics (analyze)', () => {
  // SQLite reads a table of a few rows as a whole, for any indexes.
  database.exec(`
    pragma foreign_keys = off;
    insert into resumables ("fileId", "uploadId", "received", "session", "type", "expireAt")
    with recursive numbers(number) as (select 1 union all select number + 1 from numbers limit 5000)
    select 'unfinished' || number, 'of-upload' || number, 0, '', '', number from numbers;
    insert into pushSubscriptions ("id", "userId", "endpoint", "p256dh", "auth", "events", "createdAt")
    with recursive numbers(number) as (select 1 union all select number + 1 from numbers limit 5000)
    select 'push' || number, 'user' || number, '', '', '', '', number from numbers;
    insert into aliases ("alias", "uploadId", "heldUntil")
    with recursive numbers(number) as (select 1 union all select number + 1 from numbers limit 5000)
    select 'alias-' || number, 'upload' || number, case when number % 2 then number end from numbers;
    insert into previews ("fileId", "uploadId", "content")
    with recursive numbers(number) as (select 1 union all select number + 1 from numbers limit 5000)
    select 'file' || number, 'upload' || number, zeroblob(100) from numbers;
    analyze`)
  expect(faults()).toEqual([])
})
