import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { sqliteDialect } from '../../src/metadata/dialects/sqlite/sqlite.ts'
import { sqliteThread } from '../../src/metadata/dialects/sqlite/thread.ts'
import { stopIdleThreads } from '../../src/platform/start-thread.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { uploadRecord } from '../support/databases/records.ts'
import { metadataStoreSuite } from './store-suite/store-suite.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

let directory: string
beforeAll(async () => {
  directory = await temporaryDirectory()
})

let opened = 0
const fresh = () => join(directory, String((opened += 1)), 'svc.db')
const openWithThread = (path = fresh()) => openMetadataStore(sqliteDialect(path, { hasThread: true }))

metadataStoreSuite('SQLite in another thread', async () => {
  const store = await openWithThread()
  return { ...store, ...store.background }
})

test('a list is read in parallel with a transaction, without its changes', async () => {
  const store = await openWithThread()
  const [stored, added] = [uploadRecord(), uploadRecord()]
  await store.uploads.insert(stored)
  const ids = async () =>
    (await store.uploads.page({}, 'createdAt', { limit: 5, order: 'asc' }, 0)).results.map(({ id }) => id)
  await store.transaction(async (transaction) => {
    await transaction.uploads.insert(added)
    expect(await ids()).toEqual([stored.id])
    expect((await transaction.uploads.page({}, 'size', { limit: 5, order: 'asc' }, 0)).total).toBe(2)
  })
  expect((await ids()).toSorted()).toEqual([stored.id, added.id].toSorted())
  await store.close()
})

test('a reader of a lost database fails with the cause', async () => {
  const path = fresh()
  const store = await openWithThread(path)
  rmSync(dirname(path), { recursive: true })
  await expect(store.users.page({}, { limit: 5, order: 'asc' })).rejects.toMatchObject({
    code: 'unavailable',
  })
  await store.close()
})

test('a transaction in the background does not delay reads, and a write waits for its end', async () => {
  const store = await openWithThread()
  const [stored, added, later] = [uploadRecord(), uploadRecord(), uploadRecord()]
  await store.uploads.insert(stored)
  let written: Promise<unknown> | undefined
  await store.background.transaction(async (transaction) => {
    await transaction.uploads.insert(added)
    expect(await store.uploads.find(stored.id)).toEqual(stored)
    expect(await store.uploads.find(added.id)).toBeUndefined()
    written = store.transaction((other) => other.uploads.insert(later))
  })
  await written
  expect(await store.uploads.find(added.id)).toEqual(added)
  expect(await store.uploads.find(later.id)).toEqual(later)
  await store.close()
})

test('a transaction in the background waits for another writer', async () => {
  const store = await openWithThread()
  const [first, second] = [uploadRecord(), uploadRecord()]
  let written: Promise<unknown> | undefined
  await store.transaction(async (transaction) => {
    await transaction.uploads.insert(first)
    written = store.background.transaction(async (other) => {
      expect(await other.uploads.find(first.id)).toEqual(first)
      await other.uploads.insert(second)
    })
    // A response of the thread shows that it has received the statement that begins the transaction.
    await store.users.page({}, { limit: 1, order: 'asc' })
  })
  await written
  expect(await store.uploads.find(second.id)).toEqual(second)
  await store.close()
})

test('a transaction whose thread ends is undone, and none of its statements runs outside it', async () => {
  const path = fresh()
  const store = await openMetadataStore(sqliteDialect(path))
  const thread = sqliteThread(path)
  const [reader, writer] = [thread.reader(), thread.writer()]
  const connection = await writer.acquireConnection()
  const insert = (key: string) =>
    connection.executeQuery(
      CompiledQuery.raw('insert into settings (key, value) values (?, ?)', [key, 'value']),
    )
  await writer.beginTransaction(connection, {})
  await insert('before')
  // Both have the same thread.
  await reader.destroy()
  await expect(insert('after')).rejects.toMatchObject({ code: 'unavailable' })
  await writer.rollbackTransaction(connection)
  await insert('next')
  const created = (key: string) => store.settings.findOrInsert(key, 'another value')
  expect([await created('before'), await created('after'), await created('next')]).toEqual([
    'another value',
    'another value',
    'value',
  ])
  await writer.destroy()
  await store.close()
})

test('an idle thread starts again after it was stopped, and one with an open transaction is not stopped', async () => {
  const store = await openWithThread()
  const [first, second] = [uploadRecord(), uploadRecord()]
  await store.background.transaction(async (transaction) => {
    await transaction.uploads.insert(first)
    stopIdleThreads()
    await transaction.uploads.insert(second)
  })
  stopIdleThreads()
  const page = await store.uploads.page({}, 'createdAt', { limit: 5, order: 'asc' }, 0)
  expect(page.results.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted())
  await expect(
    store.background.transaction(async (transaction) => {
      await transaction.uploads.insert(uploadRecord())
      throw new Error('undo')
    }),
  ).rejects.toThrow('undo')
  stopIdleThreads()
  expect((await store.background.uploads.page({}, 'createdAt', { limit: 5, order: 'asc' }, 0)).total).toBe(2)
  await store.close()
})
