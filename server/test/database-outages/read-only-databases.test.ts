import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { connectDirectly, type DirectConnection } from '../support/databases/direct-connection.ts'
import {
  describeOn,
  networkKinds,
  newDatabase,
  startOwnServer,
  type DatabaseServer,
} from '../support/databases/network-databases.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

/** Makes a server a standby, as a change of the primary does, and back. */
const statements = {
  postgres: (readOnly: boolean) => [
    `alter system set default_transaction_read_only = ${readOnly ? 'on' : 'off'}`,
    'select pg_reload_conf()',
  ],
  mysql: (readOnly: boolean) => [`set global read_only = ${readOnly ? '1' : '0'}`],
}

for (const kind of networkKinds) {
  describeOn(kind, 'a database that is read-only for a while', () => {
    let database: DatabaseServer
    let admin: DirectConnection
    let server: TestServer
    beforeAll(async () => {
      database = await startOwnServer(kind)
      const config = await newDatabase(kind, database)
      admin = await connectDirectly(config)
      const address = new URL(config.connectionString)
      if (kind === 'mysql') {
        // Administrators may write nevertheless.
        await admin.query(`create user usual@'127.0.0.1'`)
        await admin.query(`grant all on ${address.pathname.slice(1)}.* to usual@'127.0.0.1'`)
        address.username = 'usual'
      }
      server = await startTestServer({
        config: { metadataBackend: { ...config, connectionString: address.href } },
      })
    })
    afterAll(async () => {
      await server.close()
      await admin.close()
      await database.remove()
    })
    const become = async (readOnly: boolean) => {
      for (const statement of statements[kind](readOnly)) await admin.query(statement)
    }
    const create = () => sendRequest(server.url, '/upload', { method: 'POST' })

    test('is unavailable for writes, and available for reads', async () => {
      const stored = await storeUpload(server, 'stored')
      const once = await storeUpload(server, 'once', { oneShot: true })
      await become(true)
      await until('writes are rejected', async () => (await create()).status !== 200)
      for (const refused of [await create(), await sendRequest(server.url, once.path)]) {
        expect(errorIn(refused)).toEqual({ status: 503, code: 'unavailable' })
        expect(refused.headers['retry-after']).toBe('5')
      }
      expect((await sendRequest(server.url, stored.path)).text).toBe('stored')
      await become(false)
      await until('uploads are taken again', async () => (await create()).status === 200)
      expect((await sendRequest(server.url, once.path)).text).toBe('once')
    })
  })
}
