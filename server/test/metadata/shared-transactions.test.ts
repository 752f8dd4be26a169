import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqliteDialect } from '../../src/metadata/dialects/sqlite/sqlite.ts'
import type { Schema } from '../../src/metadata/query/schema.ts'
import { until } from '../support/until.ts'
import { groupCommit, type Transact } from '../../src/metadata/group-commit.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

let directory: string
let db: Kysely<Schema>
let other: DatabaseSync
let transact: Transact

beforeEach(async () => {
  directory = await temporaryDirectory()
  const path = join(directory, 'test.db')
  db = new Kysely<Schema>({ dialect: sqliteDialect(path) })
  await sql`create table parents (id integer primary key)`.execute(db)
  await sql`create table children (parent integer references parents (id))`.execute(db)
  other = new DatabaseSync(path)
  transact = groupCommit(db)
})
afterEach(async () => {
  other.close()
  await db.destroy()
})

const addParent = (id: number) =>
  transact(async (transaction) => {
    await sql`insert into parents values (${id})`.execute(transaction)
  })

/** The committed state, as another process sees it. */
const parents = () =>
  other
    .prepare('select id from parents order by id')
    .all()
    .map(({ id }) => id)

test('work is reported as done only after another process can see it', async () => {
  const seen = await Promise.all([1, 2, 3].map((id) => addParent(id).then(parents)))
  expect(seen).toEqual([
    [1, 2, 3],
    [1, 2, 3],
    [1, 2, 3],
  ])
})

test('work that fails does not affect the others', async () => {
  const ended = await Promise.allSettled([addParent(1), addParent(1), addParent(2)])
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(parents()).toEqual([1, 2])
})

test('a failed commit rejects all its work and keeps nothing; the next work succeeds', async () => {
  const breaking = transact(async (transaction) => {
    await sql`pragma defer_foreign_keys = on`.execute(transaction)
    await sql`insert into children values (99)`.execute(transaction)
  })
  const ended = await Promise.allSettled([addParent(1), breaking, addParent(2)])
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(parents()).toEqual([])
  await addParent(3)
  expect(parents()).toEqual([3])
})

test('a full disk rejects all work as a full database and keeps nothing; with space, the next work succeeds', async () => {
  await sql`pragma max_page_count = 1`.execute(db)
  const large = transact(async (transaction) => {
    await sql`create table large as select randomblob(100000) as bytes`.execute(transaction)
  })
  const failure: unknown = await large.catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'database_full', cause: { message: 'database or disk is full' } })
  await sql`pragma max_page_count = 1000000`.execute(db)
  await addParent(1)
  expect(parents()).toEqual([1])
})

test('work that arrives during a transaction runs after it', async () => {
  let later: Promise<void> | undefined
  await transact(async (transaction) => {
    later = addParent(2)
    await sql`insert into parents values (1)`.execute(transaction)
  })
  await later
  expect(parents()).toEqual([1, 2])
})

test('work without durability is reported at the commit, durable work after the sync', async () => {
  const sync = Promise.withResolvers<undefined>()
  const durably = groupCommit(db, { syncCommits: () => sync.promise })
  const reported: string[] = []
  const add = (id: number, isDurable: boolean) =>
    durably(
      async (transaction) => {
        await sql`insert into parents values (${id})`.execute(transaction)
      },
      { isDurable },
    ).then(() => reported.push(isDurable ? 'durable' : 'not durable'))
  const both = [add(1, true), add(2, false)]
  await both[1]
  expect([reported, parents()]).toEqual([['not durable'], [1, 2]])
  sync.resolve(undefined)
  await both[0]
  expect(reported).toEqual(['not durable', 'durable'])
})

test('work that arrives during a sync is committed in one transaction after it', async () => {
  const syncs: PromiseWithResolvers<undefined>[] = []
  const transactions: unknown[] = []
  const durably = groupCommit(db, {
    syncCommits: () => {
      const sync = Promise.withResolvers<undefined>()
      syncs.push(sync)
      return sync.promise
    },
  })
  const add = (id: number, isDurable = true) =>
    durably(
      async (transaction) => {
        transactions.push(transaction)
        await sql`insert into parents values (${id})`.execute(transaction)
      },
      { isDurable },
    )
  const first = add(1)
  await until('the first one is committed', () => syncs.length === 1)
  const others = [add(2), new Promise(setImmediate).then(() => add(3))]
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(parents()).toEqual([1])
  syncs[0]?.resolve(undefined)
  await first
  await until('the others are committed', () => syncs.length === 2)
  expect(new Set(transactions).size).toBe(2)
  syncs[1]?.resolve(undefined)
  await Promise.all(others)
  // Work that needs no sync does not wait for one.
  const last = add(4)
  await until('it is committed', () => syncs.length === 3)
  await add(5, false)
  expect(parents()).toEqual([1, 2, 3, 4, 5])
  syncs[2]?.resolve(undefined)
  await last
})
