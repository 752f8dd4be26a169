import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { sqliteDialect } from '../../src/metadata/dialects/sqlite/sqlite.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { uploadRecord } from '../support/databases/records.ts'
import { userRecord } from '../support/databases/user-records.ts'
import { metadataStoreSuite } from './store-suite/store-suite.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

let directory: string
beforeAll(async () => {
  directory = await temporaryDirectory()
})

let opened = 0
const fresh = () => join(directory, String((opened += 1)), 'svc.db')

metadataStoreSuite('SQLite', () => openMetadataStore(sqliteDialect(fresh())))

test('a database is migrated once, records the migrations, and keeps its content', async () => {
  const path = fresh()
  const upload = uploadRecord()
  const first = await openMetadataStore(sqliteDialect(path))
  await first.uploads.insert(upload)
  await first.close()
  const second = await openMetadataStore(sqliteDialect(path))
  expect(await second.uploads.find(upload.id)).toEqual(upload)
  await second.close()
  const database = new DatabaseSync(path)
  expect(
    database
      .prepare('select name from kysely_migration')
      .all()
      .map(({ name }) => name),
  ).toEqual([
    '0001-uploads',
    '0002-accounts',
    '0003-instance-address',
    '0004-resumables',
    '0005-instance-process',
    '0006-daily-figures',
    '0007-files-by-status',
    '0008-sealed-claims',
    '0009-mass-removal',
    '0010-listing-indexes',
    '0011-totals',
    '0012-hashed-tokens',
    '0013-account-ids',
    '0014-budgets',
    '0015-hidden-figures',
    '0016-files-by-upload',
    '0017-download-limits',
    '0018-downloads',
    '0019-requests',
    '0020-notifications',
    '0021-upload-places',
    '0022-wrapped-identities',
    '0023-aliases',
    '0024-previews',
    '0025-passkey-identities',
  ])
  database.close()
})

test('a new database returns the space of purged rows to the disk', async () => {
  const path = fresh()
  const store = await openMetadataStore(sqliteDialect(path))
  const uploads = Array.from({ length: 1_500 }, () => uploadRecord({ comments: 'x'.repeat(8_000) }))
  await store.transaction(async (transaction) => {
    for (const upload of uploads) await transaction.uploads.insert(upload)
  })
  await store.uploadBatches.purge(uploads.map(({ id }) => id))
  let steps = 0
  while (await store.releaseFreePages()) steps += 1
  await store.close()
  expect(steps).toBeGreaterThan(3)
  expect(statSync(path).size).toBeLessThan(6_000_000)
})

test('a query waits for the end of the transaction of another caller', async () => {
  const store = await openMetadataStore(sqliteDialect(fresh()))
  const [undone, added] = [uploadRecord(), uploadRecord()]
  const pending: Promise<unknown>[] = []
  const failing = store.transaction(async (transaction) => {
    await transaction.uploads.insert(undone)
    pending.push(store.uploads.find(undone.id), store.uploads.insert(added))
    expect(await transaction.uploads.find(undone.id)).toEqual(undone)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await pending[0]).toBeUndefined()
  await pending[1]
  expect(await store.uploads.find(added.id)).toEqual(added)
  await store.close()
})

test('a total is counted up to 10,000, and further on request', async () => {
  const store = await openMetadataStore(sqliteDialect(fresh()))
  await store.transaction(async (transaction) => {
    for (let count = 0; count < 10_001; count++) await transaction.users.insert(userRecord())
  })
  const page = (exactTotal: boolean) => store.users.page({}, { limit: 1, order: 'asc', exactTotal })
  expect(await page(false)).toMatchObject({ total: 10_000, totalIsLowerBound: true })
  expect(await page(true)).toMatchObject({ total: 10_001, totalIsLowerBound: false })
  await store.close()
})

test('two processes that open a new database at once both succeed', async () => {
  const path = fresh()
  const stores = await Promise.all([1, 2, 3].map(() => openMetadataStore(sqliteDialect(path))))
  await Promise.all(stores.map((store) => store.close()))
})

test('a file that is not a database is reported as such', async () => {
  await expect(openMetadataStore(sqliteDialect(directory))).rejects.toThrow('could not be opened')
})

test('a new database and its auxiliary files are readable by their owner only', async () => {
  const path = fresh()
  const store = await openMetadataStore(sqliteDialect(path))
  const modes = ['', '-shm', '-wal'].map((suffix) => statSync(path + suffix).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o600])
  await store.close()
})

test('the log returns the space that it took during a long read, such as an export', async () => {
  const path = fresh()
  const store = await openMetadataStore(sqliteDialect(path))
  const logSize = () => statSync(`${path}-wal`).size
  const write = async (bytes: number) => {
    const comments = 'x'.repeat(1_000_000)
    for (let written = 0; written < bytes; written += comments.length)
      await store.uploads.insert(uploadRecord({ comments }))
  }
  const reader = new DatabaseSync(path)
  reader.exec('begin')
  reader.prepare('select 1 from uploads').all()
  await write(120_000_000)
  expect(logSize()).toBeGreaterThan(120_000_000)
  reader.close()
  await write(2_000_000)
  expect(logSize()).toBeLessThan(70_000_000)
  await store.close()
})
