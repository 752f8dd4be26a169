import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { check, newDirectory } from '../commands/check/run-check.ts'
import { sendRequest, errorIn, jsonIn } from '../support/clients/send-request.ts'
import { connectDirectly, type DirectConnection } from '../support/databases/direct-connection.ts'
import {
  describeOn,
  networkKinds,
  newDatabase,
  startOwnServer,
  type DatabaseServer,
} from '../support/databases/network-databases.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startServerWithAccounts, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'
import { until } from '../support/until.ts'
import { requestsWithOptionalChanges } from './optional-changes.ts'

/** Makes a server a standby, as a change of the primary does, and back. */
const statements = {
  postgres: (readOnly: boolean) => [
    `alter system set default_transaction_read_only = ${readOnly ? 'on' : 'off'}`,
    'select pg_reload_conf()',
  ],
  mysql: (readOnly: boolean) => [`set global read_only = ${readOnly ? '1' : '0'}`],
}

beforeEach(newDirectory)

for (const kind of networkKinds) {
  describeOn(kind, 'a database that is read-only for a while', () => {
    let database: DatabaseServer
    let admin: DirectConnection
    let server: ServerWithAccounts
    let metadataBackend: MetadataBackendConfig
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
      metadataBackend = { ...config, connectionString: address.href }
      server = await startServerWithAccounts({
        config: { metadataBackend },
        features: { feature_extend_ttl: 'enabled' },
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
    const checkDatabase = async () => {
      const { driver, connectionString } = metadataBackend
      const { about } = await check({
        METADATA_BACKEND_CONFIG_DRIVER: driver,
        METADATA_BACKEND_CONFIG_CONNECTION_STRING: connectionString,
      })
      return about('database')
    }
    const create = () => sendRequest(server.url, '/upload', { method: 'POST' })

    test('is unavailable for writes, and available for reads', async () => {
      const stored = await storeUpload(server, 'stored')
      const once = await storeUpload(server, 'once', { oneShot: true })
      const expectSuccess = await requestsWithOptionalChanges(server)
      await become(true)
      await until('writes are rejected', async () => (await create()).status !== 200)
      for (const refused of [await create(), await sendRequest(server.url, once.path)]) {
        expect(errorIn(refused)).toEqual({ status: 503, code: 'unavailable' })
        expect(refused.headers['retry-after']).toBe('5')
        expect(jsonIn(refused)).toMatchObject({
          message: 'the database does not accept writes right now: try again',
        })
      }
      expect((await sendRequest(server.url, stored.path)).text).toBe('stored')
      await expectSuccess()
      expect((await sendRequest(server.url, '/ready')).text).toMatch(/^ok\ndatabase_read_only: .+/)
      expect(await checkDatabase()).toEqual([
        expect.stringMatching(/^fail .* takes no writes: it is read-only \(.*read_only\)$/),
      ])
      await become(false)
      await until('uploads are taken again', async () => (await create()).status === 200)
      expect((await sendRequest(server.url, once.path)).text).toBe('once')
      await until('it is not reported any longer', async () => {
        server.clock.advance(30_000)
        return (await sendRequest(server.url, '/ready')).text === 'ok'
      })
      expect(await checkDatabase()).toEqual([expect.stringMatching(/^ok .* its schema is up to date$/)])
    })
  })
}
