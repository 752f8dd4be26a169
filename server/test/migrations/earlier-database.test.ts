import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { sqliteDialect } from '../../src/metadata/dialects/sqlite/sqlite.ts'
import { inspectDatabase } from '../../src/metadata/inspect.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

let directory: string
let path: string
beforeEach(async () => {
  directory = await temporaryDirectory()
  path = join(directory, 'svc.db')
  change(await readFile(join(import.meta.dirname, 'earlier-database.sql'), 'utf8'))
})

function change(statements: string): void {
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
}

function rowsIn(file: string, query: string) {
  const database = new DatabaseSync(file)
  const rows = database.prepare(query).all()
  database.close()
  return rows
}

test('a database whose migrations have their former names is updated, with all that is in it', async () => {
  const { pending, refusal } = await inspectDatabase(sqliteDialect(path, { access: 'read' }))
  expect([pending, refusal]).toEqual([
    [
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
    ],
    null,
  ])

  const store = await openMetadataStore(sqliteDialect(path))
  expect(await store.files.list('0B1ev77HgRKe2w7d')).toMatchObject([
    { id: '0uRy1NlqQZsrs05k', fileName: 'hello.txt', fileSize: 6, status: 'uploaded' },
  ])
  expect(await store.uploads.find('XPLWMiiI2OACIXU2')).toMatchObject({ userId: 'local:bob', oneShot: 1 })
  await store.close()

  const fresh = join(directory, 'fresh.db')
  await (await openMetadataStore(sqliteDialect(fresh))).close()
  for (const query of [
    'select name from kysely_migration order by timestamp, name',
    'select type, name, sql from sqlite_master order by type, name',
  ])
    expect(rowsIn(path, query)).toEqual(rowsIn(fresh, query))
})

test('several servers that start at once update it', async () => {
  const stores = await Promise.all([1, 2, 3].map(() => openMetadataStore(sqliteDialect(path))))
  for (const store of stores) {
    expect(await store.files.list('0B1ev77HgRKe2w7d')).toHaveLength(1)
    await store.close()
  }
})

test('a database of a program between releases is rejected with the reason', async () => {
  change(`update kysely_migration set name = '0005-daily-figures' where name = '0006-daily-figures'`)
  await expect(openMetadataStore(sqliteDialect(path))).rejects.toMatchObject({
    cause: {
      message: expect.stringMatching(
        /^it has migrations of an svcd between releases \(0005-daily-figures\): .*svcd export/,
      ) as string,
    },
  })
})
