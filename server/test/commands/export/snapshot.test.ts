import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { exportText, noRecords } from '../../../src/export/export.ts'
import { sqliteDialect } from '../../../src/metadata/dialects/sqlite/sqlite.ts'
import { openBulkTables } from '../../../src/metadata/bulk-tables.ts'
import { uploadRecord } from '../../support/databases/records.ts'
import { emptyDirectory } from '../../support/servers/svcd.ts'
import { svcd } from '../command-line.ts'
import { fillDatabase, inDatabase } from './filled-database.ts'
import { userRecord } from '../records.ts'

let directory: string
beforeEach(async () => {
  directory = await emptyDirectory()
  await fillDatabase(directory)
})

test('an export shows one moment, while others write and do not wait for it', async () => {
  const before = (await svcd(directory, ['export', '-'])).output
  const tables = await openBulkTables(sqliteDialect(join(directory, 'svc.db')))
  const text = await tables.snapshot(async (reads) => {
    // The moment is that of the first read.
    await reads.users(undefined, 1)
    await inDatabase(directory, async (store) => {
      await store.users.insert(userRecord('zoe'))
      await store.uploads.insert(uploadRecord({ userId: 'local:zoe' }))
      await store.users.remove('local:bob')
    })
    return (await Array.fromAsync(exportText(reads, noRecords()))).join('')
  })
  await tables.close()
  expect(text).toBe(before)
  expect((await svcd(directory, ['export', '-'])).output).toContain('local:zoe')
})
