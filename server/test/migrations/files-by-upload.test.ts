import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { fileStatuses } from '@svc/contract'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { migrationsFor } from '../../src/metadata/migrations/index.ts'
import type { Schema } from '../../src/metadata/query/schema.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { cuttableDatabase } from '../support/databases/cuttable-database.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'

const dialectOf = (config: MetadataBackendConfig) => openDialect(config, 'service', () => undefined)
const uploads = ['A', 'B'].map((letter) => letter.repeat(16))

/** A database as it was before files were grouped by upload: two uploads with a file of each status. */
async function withEarlierFiles(cluster: Cluster): Promise<void> {
  const dialect = await dialectOf(cluster.database)
  const db = new Kysely<Schema>({ dialect })
  const all = migrationsFor(await dialect.capabilities(db))
  const earlier = Object.fromEntries(Object.entries(all).filter(([name]) => name < '0016'))
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(earlier) } })
  const { error } = await migrator.migrateToLatest()
  await db.destroy()
  if (error !== undefined) throw new Error('the migration failed', { cause: error })
  const database = await cluster.connect()
  for (const id of uploads) {
    await database.query(`insert into uploads ("id", "tokenHash", "ttl", "extendTtl", "oneShot", "removable", "stream", "comments",
      "e2ee", "address", "fileCount", "createdAt") values ('${id}', 'h', 1, 0, 0, 0, 0, '', '', '', 5, 1)`)
    for (const [position, status] of fileStatuses.entries())
      await database.query(`insert into files ("id", "uploadId", "position", "reference", "fileName", "fileSize", "type", "md5",
        "crc32", "status", "createdAt", "uploadedAt", "brokenDownloads", "reserved")
        values ('${fileOf(id, status)}', '${id}', ${String(position)}, 'r', '${status}.txt', 7, 't', 'm', 9, '${status}',
        2, 3, 1, 4)`)
    await database.query(`insert into resumables ("fileId", "size", "received", "session", "type", "expireAt")
      values ('${fileOf(id, 'uploading')}', 7, 5, 's', 't', 9)`)
  }
}

const fileOf = (uploadId: string, status: string): string => `${status.padEnd(15, 'x')}${uploadId.charAt(0)}`

/** What is made of it by the start of a server. */
async function expectFiles(cluster: Cluster): Promise<void> {
  const store = await openMetadataStore(await dialectOf(cluster.database))
  for (const uploadId of uploads) {
    expect(await store.files.list(uploadId)).toEqual(
      fileStatuses.map((status, position) => ({
        id: fileOf(uploadId, status),
        uploadId,
        position,
        reference: 'r',
        fileName: `${status}.txt`,
        fileSize: 7,
        type: 't',
        md5: 'm',
        crc32: 9,
        status,
        createdAt: 2,
        uploadedAt: 3,
        instance: null,
        claim: null,
        claimUntil: null,
        brokenDownloads: 1,
        downloads: 0,
        claimed: 0,
        preview: 0,
        reserved: 4,
        sealed: 0,
      })),
    )
    const id = fileOf(uploadId, 'uploading')
    expect(await store.resumables.find(id)).toMatchObject({ fileId: id, uploadId, received: 5, session: 's' })
    expect(await store.files.startUpload({ id: fileOf(uploadId, 'missing'), uploadId }, 'me')).toBe(true)
    expect(await store.uploadBatches.purge([uploadId])).toBe(1)
    expect(await store.files.list(uploadId)).toEqual([])
  }
  await store.close()
}

describeCluster('files that lay in the order of their insertion', (newCluster) => {
  test('are all present after the next start, and resumable files have their upload', async () => {
    const cluster = await newCluster()
    await withEarlierFiles(cluster)
    await expectFiles(cluster)
  })

  test('stay unchanged where the migration fails, and are moved by the next start', async () => {
    const cluster = await newCluster()
    // The others change no table that they would have to put back.
    if (cluster.kind !== 'sqlite3') return
    await withEarlierFiles(cluster)
    const database = await cluster.connect()
    await database.query('create table newResumables (another text)')
    const start = async () => openMetadataStore(await dialectOf(cluster.database))
    await expect(start()).rejects.toThrow('could not be opened or migrated')
    expect(await database.query('select 1 from files')).toHaveLength(2 * fileStatuses.length)
    await database.query('drop table newResumables')
    await expectFiles(cluster)
  })

  test.each([
    ['before uploads are known', /update .?resumables.? set/],
    ['after its last change', /insert into .kysely_migration. /],
  ])('are so, too, when the migration is interrupted %s', async (_moment, next) => {
    const cluster = await newCluster()
    // A file has no connection that could be cut.
    if (cluster.kind === 'sqlite3') return
    await withEarlierFiles(cluster)
    const way = await cuttableDatabase(cluster.database.connectionString)
    way.leaveOn(next)
    const cut = { ...cluster.database, connectionString: way.connectionString }
    await expect(openMetadataStore(await dialectOf(cut))).rejects.toThrow('could not be opened or migrated')
    await way.close()
    await expectFiles(cluster)
  })
})
