import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withService } from '../../src/composition/server.ts'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { deleteRemovedFiles } from '../../src/core/cleanup/delete-data.ts'
import type { Service } from '../../src/core/service.ts'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import { sqliteDialect } from '../../src/metadata/dialects/sqlite/sqlite.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { connectDirectly } from '../support/databases/direct-connection.ts'
import { fillWithUploads } from '../support/databases/many-uploads.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

let directory: string
let database: MetadataBackendConfig
let server: TestServer
beforeEach(async () => {
  directory = await emptyDirectory()
  database = { driver: 'sqlite3', connectionString: join(directory, 'svc.db'), fsync: true }
  server = await startTestServer({ directory, config: { metadataBackend: database } })
})
afterEach(async () => {
  await server.close()
})

const asCommand = <Result>(work: (service: Service) => Promise<Result>) =>
  withService(server.config, work, { clock: server.clock })

test('the bytes of a file are deleted only after its mark survives a power cut', async () => {
  await fillWithUploads({ database, count: 1 })
  const rows = await connectDirectly(database)
  await rows.query(`update files set "status" = 'removed'`)
  await rows.close()
  const events: string[] = []
  const dialect = sqliteDialect(database.connectionString, { durability: 'group commit' })
  const store = await openMetadataStore({
    ...dialect,
    syncCommits: async () => {
      await dialect.syncCommits?.()
      events.push('synced')
    },
  })
  const remove = () => {
    events.push('deleted')
    return Promise.resolve()
  }
  events.length = 0
  await asCommand((service) =>
    deleteRemovedFiles(
      { ...service, store, data: { ...memoryBackend(), remove } },
      { aliveSince: 0, exceptInstance: service.instance },
    ),
  )
  await store.close()
  expect(events).toEqual(['synced', 'deleted'])
})
