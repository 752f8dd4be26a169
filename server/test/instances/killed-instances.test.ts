import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import { createUser, createUserToken, signIn, userPassword } from '../support/clients/accounts.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { connectDirectly, type DirectConnection } from '../support/databases/direct-connection.ts'
import {
  describeOn,
  networkKinds,
  startOwnServer,
  type DatabaseServer,
} from '../support/databases/network-databases.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { emptyDirectory, startSvcd, type Settings, type Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { startServerWithAccounts, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'

/** Milliseconds after which nothing of a dead process holds anything back. */
const lapsed = 120_000

for (const kind of networkKinds) {
  describeOn(kind, 'a process that is killed while another runs', () => {
    let databaseServer: DatabaseServer
    let directory: string
    let settings: Settings
    let server: ServerWithAccounts
    let database: DirectConnection
    let token: string
    let killed: Svcd
    beforeAll(async () => {
      databaseServer = await startOwnServer(kind)
      directory = await emptyDirectory()
      const connectionString = await databaseServer.create()
      settings = {
        LOG_LEVEL: 'error',
        FEATURE_AUTHENTICATION: 'enabled',
        METADATA_BACKEND_CONFIG_DRIVER: kind,
        METADATA_BACKEND_CONFIG_CONNECTION_STRING: connectionString,
      }
      const metadataBackend = { driver: kind, connectionString, maxConnections: 10 }
      server = await startServerWithAccounts({
        directory,
        clock: manualClock(Date.now()),
        config: { metadataBackend },
      })
      database = await connectDirectly(metadataBackend)
      await createUser(server, server.admin, { login: 'owner', maxUserSize: 50_000_000 })
      token = await createUserToken(server, await signIn(server, { login: 'owner', password: userPassword }))
    })
    beforeEach(async () => {
      killed = await startSvcd(directory, settings)
    })
    afterEach(async () => {
      killed.kill('SIGKILL')
      await killed.ended
    })
    afterAll(async () => {
      await server.close()
      await database.close()
      await databaseServer.remove()
    })

    const cleanLater = async () => {
      server.clock.advance(2 * lapsed)
      await server.clean()
      await server.clean()
      await expectCorrectCounters(database, { directory })
    }

    test('in the middle of a one-shot download: the file is back in two minutes, for one more download', async () => {
      const bytes = randomBytes(20_000_000)
      const { path } = await storeUpload(server, bytes, { oneShot: true })
      const download = await rawConnection(killed.url)
      await download.send(requestHead('GET', path))
      await download.take(1_000)
      killed.kill('SIGKILL')
      await killed.ended
      download.cut()
      expect((await sendRequest(server.url, path)).status).toBe(409)
      server.clock.advance(lapsed)
      const again = await sendRequest(server.url, path)
      expect([again.status, again.body.equals(bytes)]).toEqual([200, true])
      await until('it is used up', async () => (await sendRequest(server.url, path)).status === 404)
      await cleanLater()
    })

    test('in the middle of an upload: nothing of it stays, and its quota is free again', async () => {
      const upload = await rawConnection(killed.url)
      const headers = { 'x-svctoken': token, 'content-length': 20_000_000 }
      await upload.send(requestHead('PUT', '/arriving.bin', headers))
      await upload.send(randomBytes(5_000_000))
      await until('the file arrives', async () => {
        const rows = await database.query(`select "reserved" from files where status = 'uploading'`)
        return Number(rows[0]?.['reserved']) === 20_000_000
      })
      killed.kill('SIGKILL')
      await killed.ended
      upload.cut()
      await cleanLater()
    })

    test('in the middle of a cleanup: the other one completes it', async () => {
      const headers = { 'x-svctoken': token }
      const old = await startServerWithAccounts({
        directory,
        clock: manualClock(Date.now() - 3_600_000),
        config: { metadataBackend: server.config.metadataBackend },
      })
      await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          sendRequest(old.url, `/${String(n)}.bin?ttl=60s`, {
            method: 'PUT',
            headers,
            body: 'x'.repeat(100),
          }),
        ),
      )
      await old.close()
      const cleaner = await startSvcd(directory, { ...settings, CLEANING_INTERVAL_STR: '1s' })
      await until('it cleans', async () => {
        const rows = await database.query('select 1 from uploads where "deletedAt" is not null')
        return rows.length > 20
      })
      cleaner.kill('SIGKILL')
      await cleaner.ended
      await cleanLater()
      const left = await database.query(`select 1 from uploads where "deletedAt" is null and "ttl" = 60`)
      expect(left).toEqual([])
    })

    test('or is stopped while the database is unavailable: it ends normally', async () => {
      await database.close()
      await databaseServer.stop()
      killed.kill('SIGTERM')
      expect(await killed.ended).toMatchObject({ status: 0, signal: null })
      await databaseServer.start()
      database = await connectDirectly(server.config.metadataBackend)
      await until('uploads are taken again', async () => {
        const { status } = await sendRequest(server.url, '/works.txt', { method: 'PUT', body: 'x' })
        return status === 200
      })
    })
  })
}
