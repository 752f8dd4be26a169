import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@svc/sdk'
import { Kysely } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import type { Schema } from '../../src/metadata/query/schema.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'
import { signIn, userPassword } from '../support/clients/accounts.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { call, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'
import { describeCluster, type Cluster } from '../support/servers/cluster.ts'
import { jsonIn, sendRequest } from '../support/clients/send-request.ts'
import { until } from '../support/until.ts'
import { contentOf, fileName, protection, type Kept, type KeptUpload } from './fill.ts'
import { folderOf, versions } from './kept.ts'
import { restoreKept } from './restore.ts'

const open = async ({ database }: Cluster) =>
  openMetadataStore(await openDialect(database, 'service', () => undefined))

/** The tables with their columns, without an order: a new column is the last one, and in a new database it may not be. */
async function schemaOf(cluster: Cluster): Promise<unknown> {
  const dialect = await openDialect(cluster.database, 'service', () => undefined)
  const db = new Kysely<Schema>({ dialect })
  const tables = await db.introspection.getTables()
  await db.destroy()
  return tables
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, columns }) => [name, columns.toSorted((a, b) => a.name.localeCompare(b.name))])
}

for (const version of versions)
  describeCluster(`a database of version ${version}`, (newCluster) => {
    let cluster: Cluster
    let kept: Kept
    beforeEach(async () => {
      cluster = await newCluster()
      kept = await restoreKept(version, cluster)
    })

    const start = () => cluster.start({ clock: manualClock(kept.filledAt) })
    const download = ({ url }: ServerWithAccounts, { id, fileID }: KeptUpload, headers = {}) =>
      sendRequest(url, `/file/${id}/${fileID}/${encodeURIComponent(fileName)}`, { headers })

    test('has the tables and columns of a new one after its update', async () => {
      await (await open(cluster)).close()
      const fresh = await newCluster()
      await (await open(fresh)).close()
      expect(await schemaOf(cluster)).toEqual(await schemaOf(fresh))
    })

    test('is served with every upload and file', async () => {
      const server = await start()
      for (const name of ['plain', 'owned'] as const)
        expect((await download(server, kept[name])).text).toBe(contentOf(name))
      const received = await download(server, kept.received, { 'x-uploadtoken': kept.received.uploadToken })
      expect(received.text).toBe(contentOf('received'))
      expect(await server.client.upload(kept.plain.id)).toMatchObject({ comments: 'kept', ttl: -1 })

      expect((await download(server, kept.protected)).status).toBe(401)
      const basic = Buffer.from(`${protection.login}:${protection.password}`).toString('base64')
      const opened = await download(server, kept.protected, { authorization: `Basic ${basic}` })
      expect(opened.text).toBe(contentOf('protected'))

      expect((await download(server, kept.oneShot)).text).toBe(contentOf('oneShot'))
      // The response may end before the file is marked as removed.
      await until('the file is gone', async () => (await download(server, kept.oneShot)).status === 404)

      expect((await server.client.upload(kept.alias)).id).toBe(kept.owned.id)
      const { id, uploadToken } = kept.plain
      await server.client.removeUpload(id, { uploadToken })
      expect((await download(server, kept.plain)).status).toBe(404)
    })

    test('is served with its accounts, requests, webhooks and activity', async () => {
      const server = await start()
      const stats = jsonIn(await call(server, 'GET /stats', { as: server.admin }))
      expect(stats).toMatchObject({ users: 2, uploads: 5, files: 5 })
      const session = await signIn(server, { login: kept.login, password: userPassword })
      const user = createClient({ baseURL: server.url, userToken: kept.userToken })
      const uploads = jsonIn(await call(server, 'GET /me/uploads', { as: session }))
      expect(uploads).toMatchObject({ results: [{ id: kept.received.id }, { id: kept.owned.id }] })

      const { results: downloads } = await user.downloads(kept.owned.id)
      expect(downloads).toMatchObject([{ fileID: kept.owned.fileID, result: 'whole' }])

      expect(await user.uploadRequest(kept.request.id)).toMatchObject({ title: 'Photos', uploads: 1 })
      const { results: received } = await user.receivedUploads(kept.request.id)
      expect(received).toMatchObject([{ id: kept.received.id, sender: 'Alan' }])
      expect(await server.client.sendToUploadRequest(kept.request.id, { sender: 'Mary' })).toHaveProperty(
        'id',
      )

      const webhooks = jsonIn(await call(server, 'GET /me/webhooks', { as: session }))
      expect(webhooks).toMatchObject([{ id: kept.webhook, events: ['request.received'] }])
    })

    test('is refused when a newer svcd has migrated it', async () => {
      const database = await cluster.connect()
      await database.query(`insert into kysely_migration (name, timestamp) values ('9999-future', '2099')`)
      await expect(open(cluster)).rejects.toMatchObject({
        cause: { message: 'it has migrations of a newer svcd (9999-future): run that one, not this' },
      })
    })
  })

test.each(versions)('the configuration of version %s is accepted', async (version) => {
  const text = await readFile(join(folderOf(version), 'svcd.toml'), 'utf8')
  const readKept = (path: string) => {
    if (path === '/srv/svcd.toml') return text
    throw Object.assign(new Error(path), { code: 'ENOENT' })
  }
  const config = loadConfig({ environment: {}, directory: '/srv', readFile: readKept })
  expect(config).toMatchObject({
    svcDomain: 'https://files.example.org',
    metadataBackend: { driver: 'sqlite3', connectionString: '/srv/svc.db' },
    accounts: { defaultAdmin: { login: 'root' } },
  })
})
