import { describe, expect, test } from 'vitest'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { openBulkTables } from '../../src/metadata/bulk-tables.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { connectDirectly } from '../support/databases/direct-connection.ts'
import { describeOn, newDatabase } from '../support/databases/network-databases.ts'
import { fileRecord, uploadRecord } from '../support/databases/records.ts'
import { userRecord } from '../support/databases/user-records.ts'
import { webhookRecord } from './store-suite/outbox.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

const openTables = async (config: MetadataBackendConfig) =>
  openBulkTables(await openDialect(config, 'bulk', () => undefined))

/** Texts that JSON or SQL escape. */
const texts = [
  String.raw`\u0000 \ud800 \n`,
  `"'\\\u{1}\u{7f}\u2028`,
  'a\u{10ffff}\u{e000}',
  '{"a":[null]} ($1, $2), null',
  'a half \ud800 of a pair',
]

/** @param rejectsNul whether the driver rejects the character, which PostgreSQL cannot store */
const testTexts = (newConfig: () => Promise<MetadataBackendConfig>, rejectsNul: boolean) => {
  test('texts are stored unchanged, and half a surrogate pair as the replacement character', async () => {
    const tables = await openTables(await newConfig())
    const upload = uploadRecord({ fileCount: texts.length, comments: texts.join('') })
    const files = texts.map((fileName, position) => fileRecord(upload, { fileName, position }))
    await tables.transaction(async (writes) => {
      await writes.uploads.insert([upload])
      await writes.files.insert(files)
    })
    const stored = await tables.snapshot(async (reads) => ({
      uploads: await reads.uploads(undefined, 10),
      files: await reads.files(undefined, 10),
    }))
    await tables.close()
    expect(stored).toEqual({
      uploads: [{ ...upload, comments: upload.comments.toWellFormed() }],
      files: files.map((file) => ({ ...file, fileName: file.fileName.toWellFormed() })),
    })
  })

  test('webhooks are counted by user', async () => {
    const tables = await openTables(await newConfig())
    const [ada, bob] = [userRecord(), userRecord()]
    const counts = await tables.transaction(async (writes) => {
      await writes.users.insert([ada, bob])
      await writes.webhooks.insert([webhookRecord(ada.id), webhookRecord(ada.id)])
      return writes.webhooks.countsOf([ada.id, bob.id])
    })
    await tables.close()
    expect([...counts]).toEqual([[ada.id, 2]])
  })

  test(`the character NUL is ${rejectsNul ? 'rejected' : 'stored, and nothing is cut off'}`, async () => {
    const tables = await openTables(await newConfig())
    const upload = uploadRecord({ comments: 'a\0b' })
    const insertion = tables.transaction((writes) => writes.uploads.insert([upload]))
    if (rejectsNul) await expect(insertion).rejects.toMatchObject({ code: 'invalid_request' })
    else await insertion
    expect(await tables.snapshot((reads) => reads.uploads(undefined, 10))).toEqual(rejectsNul ? [] : [upload])
    await tables.close()
  })
}

describe('insertions of many rows into SQLite', () => {
  testTexts(
    async () => ({
      driver: 'sqlite3',
      connectionString: `${await temporaryDirectory()}/svc.db`,
      fsync: false,
    }),
    false,
  )
})

describeOn('mysql', 'insertions of many rows into MariaDB', () => {
  testTexts(() => newDatabase('mysql'), true)
})

describeOn('postgres', 'insertions of many rows into PostgreSQL', () => {
  testTexts(() => newDatabase('postgres'), true)

  test('indexes and foreign keys are dropped for the work, and created again as they were', async () => {
    const config = await newDatabase('postgres')
    const tables = await openTables(config)
    const database = await connectDirectly(config)
    const schema = async () => [
      await database.query(
        `select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname`,
      ),
      await database.query(
        `select conrelid::regclass::text as "table", conname, convalidated, pg_get_constraintdef(oid) as definition
         from pg_constraint where contype = 'f' order by conname`,
      ),
    ]
    const before = await schema()
    await tables.transaction((writes) =>
      writes.withoutIndexes(async () => {
        const upload = uploadRecord()
        // Without the foreign key, a file can come before its upload.
        await writes.files.insert([fileRecord(upload)])
        await writes.uploads.insert([upload])
      }),
    )
    expect(await schema()).toEqual(before)
    // The new foreign keys check as the old ones did.
    await expect(
      tables.transaction((writes) =>
        writes.withoutIndexes(() => writes.files.insert([fileRecord(uploadRecord())])),
      ),
    ).rejects.toThrow(/foreign key/)
    expect(await schema()).toEqual(before)
    await database.close()
    await tables.close()
  })
})
