import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomId } from '../../src/domain/ids.ts'
import { sqliteDialect } from '../../src/metadata/dialects/sqlite/sqlite.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { fileRecord, uploadRecord } from '../support/databases/records.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

let directory: string
let path: string
let store: OpenMetadataStore
beforeAll(async () => {
  directory = await temporaryDirectory()
  path = join(directory, 'svc.db')
  store = await openMetadataStore(sqliteDialect(path))
})
afterAll(async () => {
  await store.close()
})

let drawn = 0
/** The same ids in each run, so that pages fill in the same way. */
const id = () =>
  randomId((into) => {
    const bytes = createHash('shake256', { outputLength: into.length })
      .update(String((drawn += 1)))
      .digest()
    into.set(bytes)
  })

/** As `POST /upload` writes it. */
async function declare(count: number): Promise<void> {
  const upload = uploadRecord({ id: id(), fileCount: count, createdAt: 1_800_000_000_000 })
  const files = Array.from({ length: count }, (_, position) =>
    fileRecord(upload, {
      id: id(),
      position,
      fileName: String(1_000 + position),
      fileSize: 0,
      type: '',
      md5: '',
      crc32: 0,
      status: 'missing',
      createdAt: 1_800_000_000_000,
      uploadedAt: null,
    }),
  )
  await store.transaction(async (transaction) => {
    await transaction.uploads.insert(upload)
    await transaction.files.insertAll(files)
  })
}

function databaseSize(): number {
  const database = new DatabaseSync(path)
  const { bytes } =
    database
      .prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size')
      .get() ?? {}
  database.close()
  return Number(bytes)
}

test('a declared file with a short name takes at most 88 bytes of an SQLite database', async () => {
  // Among other rows, because pages are less full in the middle of a table.
  for (let others = 0; others < 500; others += 1) await declare(1)
  const before = databaseSize()
  for (let uploads = 0; uploads < 20; uploads += 1) await declare(1_000)
  expect((databaseSize() - before) / 20_000).toBeLessThanOrEqual(88)
})
