import { expect, test } from 'vitest'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { connectDirectly } from '../support/databases/direct-connection.ts'
import { cuttableDatabase } from '../support/databases/cuttable-database.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'
import { fileRecord, uploadRecord } from '../support/databases/records.ts'

/** What comes right after a change of each kind. */
const moments = [
  ['after a table', /create index .uploads_expire_at/],
  ['after an index', /create table .instances/],
  ['after a table with a foreign key', /create index .sessions_user_id/],
  ['after a column', /add column .userToken/],
  ['after the loss of an index', /create index .uploads_by_end/],
  ['after its last change', /insert into .kysely_migration. /],
] as const

for (const kind of networkKinds) {
  describeOn(kind, 'a migration that is interrupted', () => {
    const open = async (connectionString: string): Promise<OpenMetadataStore> =>
      openMetadataStore(
        await openDialect({ driver: kind, connectionString, maxConnections: 10 }, 'service', () => undefined),
      )

    test.each(moments)('%s is completed by the next start', async (_moment, next) => {
      const { connectionString } = await newDatabase(kind)
      const way = await cuttableDatabase(connectionString)
      way.leaveOn(next)
      await expect(open(way.connectionString)).rejects.toThrow('could not be opened or migrated')
      await way.close()
      const store = await open(connectionString)
      const upload = uploadRecord()
      const file = fileRecord(upload)
      await store.uploads.insert(upload)
      await store.files.insert(file)
      expect(await store.files.list(upload.id)).toEqual([file])
      await store.close()
    })

    test('leaves the table of another program unchanged', async () => {
      const config = await newDatabase(kind)
      const other = await connectDirectly(config)
      await other.query('create table settings (id integer, "value" integer)')
      await expect(open(config.connectionString)).rejects.toThrow('could not be opened or migrated')
      await other.close()
    })
  })
}
