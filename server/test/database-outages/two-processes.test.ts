import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { cuttableDatabase } from '../support/databases/cuttable-database.ts'
import {
  describeOn,
  networkKinds,
  startOwnServer,
  type DatabaseServer,
} from '../support/databases/network-databases.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { emptyDirectory, runSvcd, startSvcd, type Settings, type Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { raceForDownloads } from '../one-shot/race.ts'

for (const kind of networkKinds) {
  describeOn(kind, 'two processes on one database', () => {
    let database: DatabaseServer
    let address: string
    let directory: string
    let settings: Settings
    let servers: [Svcd, Svcd]
    beforeAll(async () => {
      database = await startOwnServer(kind)
      directory = await emptyDirectory()
      address = await database.create()
      settings = {
        LOG_LEVEL: 'warn',
        METADATA_BACKEND_CONFIG_DRIVER: kind,
        METADATA_BACKEND_CONFIG_CONNECTION_STRING: address,
      }
      // Both find the database empty.
      servers = await Promise.all([startSvcd(directory, settings), startSvcd(directory, settings)])
    })
    afterAll(async () => {
      for (const server of servers) server.kill('SIGTERM')
      await Promise.all(servers.map(({ ended }) => ended))
      await database.remove()
    })

    const works = async ({ url }: Svcd) => {
      const { status } = await sendRequest(url, '/x.txt', { method: 'PUT', body: 'x' })
      return status === 200
    }

    test('exactly one of 200 downloads gets a one-shot file, twenty times', async () => {
      await raceForDownloads(servers, { rounds: 20 })
    })

    test('an outage of the database is reported, and no restart is needed', async () => {
      const bytes = randomBytes(3_000_000)
      const { path } = await storeUpload(servers[0], bytes)
      const arriving = await rawConnection(servers[0].url)
      await arriving.send(requestHead('PUT', '/arriving.bin', { 'content-length': 2_000 }))
      await arriving.send('x'.repeat(1_000))
      await until('the file arrives', () => servers[0].output().length > 0)

      await database.stop()
      for (const { url } of servers) {
        const rejected = await sendRequest(url, path)
        expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '5'])
        expect(JSON.parse(rejected.body.toString())).toMatchObject({ code: 'unavailable' })
        expect((await sendRequest(url, '/x.txt', { method: 'PUT', body: 'x' })).status).toBe(503)
        expect((await sendRequest(url, '/health')).status).toBe(200)
      }
      await arriving.send('x'.repeat(1_000))
      const reply = await arriving.response()
      expect(reply.status).toBe(503)
      arriving.cut()

      await database.start()
      for (const server of servers) await until('uploads are taken again', () => works(server))
      expect((await sendRequest(servers[1].url, path)).body.equals(bytes)).toBe(true)
      await raceForDownloads(servers, { rounds: 2 })
    })

    test('a download continues during an outage of the database', async () => {
      const bytes = randomBytes(30_000_000)
      const { path } = await storeUpload(servers[0], bytes)
      const response = await fetch(servers[0].url + path)
      await database.stop()
      const got = Buffer.from(await response.arrayBuffer())
      await database.start()
      expect(got.equals(bytes)).toBe(true)
      await until('uploads are taken again', () => works(servers[0]))
    })

    test('a server and a command wait for a database that is starting', async () => {
      await database.stop()
      const way = await cuttableDatabase(address)
      const viaWay = { ...settings, METADATA_BACKEND_CONFIG_CONNECTION_STRING: way.connectionString }
      const starting = startSvcd(directory, viaWay)
      await until('it has tried in vain', () => way.tried() > 0)
      const commandsWay = await cuttableDatabase(address)
      const command = runSvcd(['stats'], directory, {
        ...viaWay,
        METADATA_BACKEND_CONFIG_CONNECTION_STRING: commandsWay.connectionString,
        LOG_FORMAT: 'auto',
      })
      await until('it has tried in vain, too', () => commandsWay.tried() > 0)
      await database.start()
      const third = await starting
      expect(await works(third)).toBe(true)
      expect(third.log()).toContain('database unreachable, retrying')
      // A person reads the messages of a command.
      expect((await command).stderr).toMatch(/^\[.+\] WARN: database unreachable, retrying\n +reason: /)
      third.kill('SIGTERM')
      expect((await third.ended).status).toBe(0)
      await way.close()
      await commandsWay.close()
    })
  })
}
