import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, createUserToken, signIn, userPassword } from '../support/clients/accounts.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { connectDirectly, type DirectConnection } from '../support/databases/direct-connection.ts'
import {
  describeOn,
  networkKinds,
  newDatabase,
  startOwnServer,
  type DatabaseServer,
} from '../support/databases/network-databases.ts'
import { expectCorrectCounters } from '../support/databases/correct-counters.ts'
import { rawConnection, requestHead, type RawConnection } from '../support/clients/raw-connection.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { storedBytes } from '../support/servers/server-data.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { startServerWithAccounts, type ServerWithAccounts } from '../support/servers/server-with-accounts.ts'

const cleanupInterval = 300_000
const unavailable = { status: 503, code: 'unavailable' }

for (const kind of networkKinds) {
  describeOn(kind, 'a database that is stopped for a while', () => {
    let databaseServer: DatabaseServer
    let directory: string
    let servers: readonly [ServerWithAccounts, ServerWithAccounts]
    let database: DirectConnection
    let token: string
    beforeAll(async () => {
      databaseServer = await startOwnServer(kind)
      directory = await emptyDirectory()
      const metadataBackend = await newDatabase(kind, databaseServer)
      const start = () => startServerWithAccounts({ directory, config: { metadataBackend, minFreeSpace: 1 } })
      servers = [await start(), await start()]
      const [server] = servers
      await createUser(server, server.admin, { login: 'owner', maxUserSize: 50_000_000 })
      token = await createUserToken(server, await signIn(server, { login: 'owner', password: userPassword }))
      database = await connectDirectly(metadataBackend)
    })
    afterAll(async () => {
      for (const server of servers) await server.close()
      await database.close()
      await databaseServer.remove()
    })

    /** Ends the outage; the direct connection is then a new one. */
    const start = async () => {
      await databaseServer.start()
      database = await connectDirectly(servers[0].config.metadataBackend)
      for (const { url } of servers)
        await until('uploads are taken again', async () => {
          const { status } = await sendRequest(url, '/works.txt', { method: 'PUT', body: 'x' })
          return status === 200
        })
    }
    const advance = (ms: number) => {
      for (const { clock } of servers) clock.advance(ms)
    }
    const rowOf = async (name: string) => {
      const [row] = await database.query(
        `select status, reserved, instance from files where "fileName" = '${name}'`,
      )
      return row
    }
    const statusOf = async (name: string) => (await rowOf(name))?.['status']
    /** The same cleanup that deletes the bytes blanks the name, if the upload is removed as a whole. */
    const isDeleted = async (name: string) =>
      ['deleted', undefined].includes((await statusOf(name)) as string)
    const arrivingHalf = async (name: string): Promise<RawConnection> => {
      const connection = await rawConnection(servers[0].url)
      const headers = { 'x-svctoken': token, 'content-length': 2_000 }
      await connection.send(requestHead('PUT', `/${name}`, headers))
      await connection.send('x'.repeat(1_000))
      // The reservation is the last statement before the end.
      await until('quota is reserved', async () => Number((await rowOf(name))?.['reserved'] ?? 0) > 0)
      return connection
    }
    /** @returns the id of a file that expires before the next cleanup */
    const endingBeforeCleanup = async (): Promise<string> =>
      (await storeUpload(servers[1], 'over', { ttl: 60 })).file.id
    /** Advances to the other server's next cleanup, a minute later, so that the clocks are equal again. */
    const cleanedByOther = async (over: string) => {
      servers[1].clock.advance(60_000)
      await until('the other server has cleaned', async () => {
        const [row] = await database.query(`select status from files where id = '${over}'`)
        return row?.['status'] === 'deleted'
      })
      servers[0].clock.advance(60_000)
    }
    /** Prevents the heartbeats of a server until it is closed. */
    const lockSigns = async (instance: unknown): Promise<DirectConnection> => {
      const held = await connectDirectly(servers[0].config.metadataBackend)
      await held.query('begin')
      await held.query(`select id from instances where id = '${String(instance)}' for update`)
      return held
    }
    const otherHalf = async (connection: RawConnection) => {
      await connection.send('x'.repeat(1_000))
      const response = await connection.response()
      connection.cut()
      return response
    }

    test('at the end of an upload: it fails, and nothing of it stays, no reserved byte either', async () => {
      const connection = await arrivingHalf('failing.bin')
      await database.close()
      await databaseServer.stop()
      const response = await otherHalf(connection)
      expect(response.status).toBe(503)
      expect(response.headers['retry-after']).toBe('5')
      await start()
      advance(cleanupInterval)
      await until('it is deleted', () => isDeleted('failing.bin'))
      await expectCorrectCounters(database, { directory })
    })

    test('in the middle of an upload, for longer than the heartbeat timeout: the upload succeeds', async () => {
      const connection = await arrivingHalf('patient.bin')
      const over = await endingBeforeCleanup()
      await database.close()
      await databaseServer.stop()
      advance(cleanupInterval - 60_000)
      await start()
      await cleanedByOther(over)
      expect((await otherHalf(connection)).status).toBe(200)
      expect(await statusOf('patient.bin')).toBe('uploaded')
    })

    test('in the middle of an upload whose bytes go on arriving: the upload succeeds', async () => {
      const [{ url }] = servers
      const size = 8_000_000
      const connection = await rawConnection(url)
      await connection.send(requestHead('PUT', '/going-on.bin', { 'content-length': 3 * size }))
      await connection.send(randomBytes(size))
      await until('the first third is stored', () => storedBytes({ directory }) > size / 2)
      await database.close()
      await databaseServer.stop()
      // The free space is measured again.
      advance(2_000)
      await connection.send(randomBytes(size))
      await until('more is stored', () => storedBytes({ directory }) > size)
      await start()
      await connection.send(randomBytes(size))
      expect((await connection.response()).status).toBe(200)
      connection.cut()
    })

    // On MariaDB a cleanup waits for the holder of a server's row.
    if (kind === 'postgres')
      test('or stalls that long, and then responds to one server earlier than to the other: the upload succeeds', async () => {
        const connection = await arrivingHalf('overtaken.bin')
        const over = await endingBeforeCleanup()
        const receiver = (await rowOf('overtaken.bin'))?.['instance']
        const [other] = await database.query(`select id from instances where id <> '${String(receiver)}'`)
        const locks = { receiver: await lockSigns(receiver), other: await lockSigns(other?.['id']) }
        advance(cleanupInterval - 60_000)
        await until('both wait', async () => (await database.waiting()) >= 2)
        await locks.other.close()
        const alive = `select id from instances where "seenAt" = ${String(servers[1].clock.now())}`
        await until(
          'the other server writes its heartbeat',
          async () => (await database.query(alive)).length === 1,
        )
        await cleanedByOther(over)
        await locks.receiver.close()
        expect((await otherHalf(connection)).status).toBe(200)
        expect(await statusOf('overtaken.bin')).toBe('uploaded')
      })

    test('in the middle of a one-shot download: the claim is kept, and the file is served once', async () => {
      const bytes = randomBytes(20_000_000)
      const { path } = await storeUpload(servers[0], bytes, { oneShot: true })
      const download = await rawConnection(servers[0].url)
      await download.send(requestHead('GET', path))
      const head = await download.head()
      await database.close()
      await databaseServer.stop()
      advance(60_000)
      expect(errorIn(await sendRequest(servers[1].url, path))).toEqual(unavailable)
      await start()
      advance(29_999)
      expect(errorIn(await sendRequest(servers[1].url, path)).status).toBe(409)
      expect((await download.take(Number(head.headers['content-length']))).equals(bytes)).toBe(true)
      await until('it is used up', async () => (await sendRequest(servers[1].url, path)).status === 404)
      download.cut()
    })

    test('while nothing happens: every kind of request gets a clear error, and works afterwards', async () => {
      const { path, upload } = await storeUpload(servers[0], 'content')
      await database.close()
      await databaseServer.stop()
      for (const { url, admin } of servers) {
        for (const [method, target] of [
          ['GET', path],
          ['GET', `/upload/${upload.id}`],
          ['GET', '/me'],
          ['GET', '/uploads'],
          ['GET', '/stats'],
          ['POST', '/upload'],
        ] as const) {
          const response = await sendRequest(url, target, { method, headers: admin.headers })
          expect([target, errorIn(response), response.headers['retry-after']]).toEqual([
            target,
            unavailable,
            '5',
          ])
        }
        expect((await sendRequest(url, '/health')).status).toBe(200)
      }
      await start()
      for (const { url } of servers) expect((await sendRequest(url, path)).text).toBe('content')
      advance(2 * cleanupInterval)
    })
  })
}
