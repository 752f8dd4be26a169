import { afterAll, beforeAll, expect, test } from 'vitest'
import { partialBytes, resumablePath } from '@svc/contract'
import { sendRequest, errorIn, type TestResponse } from '../../support/clients/send-request.ts'
import { connectDirectly } from '../../support/databases/direct-connection.ts'
import {
  describeOn,
  networkKinds,
  startOwnServer,
  type DatabaseServer,
} from '../../support/databases/network-databases.ts'
import { expectCorrectCounters } from '../../support/databases/correct-counters.ts'
import { manualClock } from '../../support/clocks/manual-clock.ts'
import { randomBytes } from '../../support/clients/stored-upload.ts'
import { emptyDirectory, startSvcd } from '../../support/servers/svcd.ts'
import { until } from '../../support/until.ts'
import {
  startServerWithAccounts,
  type ServerWithAccounts,
} from '../../support/servers/server-with-accounts.ts'
import {
  begin,
  expectWhole,
  head,
  headAgain,
  offsetOf,
  newTarget,
  beginPart,
  patch,
  ticking,
  tus,
  untilListed,
  type TusFile,
  newFile,
} from '../tus.ts'

const bytes = randomBytes(3_000_000)
const unavailable = { status: 503, code: 'unavailable' }

/** The response to a request that ends before a lease of 120 seconds expires. */
async function withoutTheLease(
  server: ServerWithAccounts,
  request: Promise<TestResponse>,
): Promise<TestResponse> {
  const waiting = { isOver: false }
  const end = () => {
    waiting.isOver = true
  }
  request.then(end, end)
  await until('the request has its response', () => {
    server.clock.advance(20)
    return waiting.isOver
  })
  return request
}

/** The same file by the other protocol. */
const ietf = (
  server: ServerWithAccounts,
  { target, id }: TusFile,
  method: 'PATCH' | 'DELETE',
  more: Part = {},
) =>
  sendRequest(server.url, resumablePath(target.id, id), {
    method,
    headers: { ...target.headers, ...more.headers },
    ...(more.body && { body: more.body }),
  })

interface Part {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

for (const kind of networkKinds) {
  describeOn(kind, 'resumable uploads', () => {
    let databaseServer: DatabaseServer
    let directory: string
    let connectionString: string
    let server: ServerWithAccounts
    beforeAll(async () => {
      databaseServer = await startOwnServer(kind)
      directory = await emptyDirectory()
      connectionString = await databaseServer.create()
      const metadataBackend = { driver: kind, connectionString, maxConnections: 10 }
      server = await startServerWithAccounts({
        directory,
        clock: manualClock(Date.now()),
        config: { metadataBackend },
      })
    })
    afterAll(async () => {
      await server.close()
      await databaseServer.remove()
    })
    /** After removal and cleanup, no counter includes the file. */
    const expectNothingHeld = async (file: TusFile) => {
      expect((await tus(server, file.target, 'DELETE', { path: file.path })).status).toBe(204)
      await server.clean()
      const database = await connectDirectly(server.config.metadataBackend)
      await expectCorrectCounters(database, { directory })
      await database.close()
    }

    test('of a killed process continue at another one, from the stored offset', async () => {
      const killed = await startSvcd(directory, {
        LOG_LEVEL: 'error',
        METADATA_BACKEND_CONFIG_DRIVER: kind,
        METADATA_BACKEND_CONFIG_CONNECTION_STRING: connectionString,
      })
      const file = await begin(killed, await newTarget(server), { size: bytes.length })
      expect((await patch(killed, file, 0, bytes.subarray(0, 1_000_000))).status).toBe(204)
      const cut = await beginPart(killed, file, 1_000_000, 1_500_000)
      await cut.send(bytes.subarray(1_000_000, 2_000_000))
      const database = await connectDirectly(server.config.metadataBackend)
      await until('it is the writer', async () => {
        const [row] = await database.query('select "writer" from resumables')
        return typeof row?.['writer'] === 'string'
      })
      killed.kill('SIGKILL')
      await killed.ended
      cut.cut()
      // Stored bytes are not lost, at any point where the process is killed.
      const [row] = await database.query('select "received" from resumables')
      const received = Number(row?.['received'])
      expect(received).toBeGreaterThanOrEqual(1_000_000)
      expect(received).toBeLessThanOrEqual(2_000_000)
      await database.close()
      // The process does not count as dead yet: its lease does not end while this retries.
      const body = bytes.subarray(received)
      const part = {
        headers: {
          'content-type': partialBytes.type,
          'upload-offset': String(received),
          'upload-complete': '?1',
        },
        body,
      }
      for (const request of [
        () => head(server, file),
        () => patch(server, file, received, body),
        () => tus(server, file.target, 'DELETE', { path: file.path }),
        () => ietf(server, file, 'PATCH', part),
        () => ietf(server, file, 'DELETE'),
      ]) {
        const rejected = await withoutTheLease(server, request())
        expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '1'])
      }
      server.clock.advance(130_000)
      const { status, headers } = await ticking([server], headAgain(server, file))
      expect([status, Number(headers['upload-offset'])]).toEqual([200, received])
      expect((await patch(server, file, received, bytes.subarray(received))).status).toBe(204)
      await expectWhole(server, file, bytes)
      await expectNothingHeld(file)
    })

    test('continue after an outage of the database during or between parts', async () => {
      const file = await newFile(server, { size: bytes.length })
      expect((await patch(server, file, 0, bytes.subarray(0, 500_000))).status).toBe(204)
      const arriving = await beginPart(server, file, 500_000, 1_000_000)
      await arriving.send(bytes.subarray(500_000, 1_000_000))
      const database = await connectDirectly(server.config.metadataBackend)
      await until('it is the writer', async () => {
        const [row] = await database.query('select "writer" from resumables')
        return typeof row?.['writer'] === 'string'
      })
      await database.close()
      await databaseServer.stop()
      await arriving.send(bytes.subarray(1_000_000, 1_500_000))
      expect((await arriving.response()).status).toBe(503)
      arriving.cut()
      expect((await head(server, file)).status).toBe(503)
      expect(errorIn(await patch(server, file, 500_000, bytes.subarray(500_000)))).toEqual(unavailable)
      await databaseServer.start()
      await until('uploads are taken again', async () => {
        const { status } = await sendRequest(server.url, '/works.txt?ttl=60', { method: 'PUT', body: 'x' })
        return status === 200
      })
      const { status, headers } = await ticking([server], headAgain(server, file))
      const offset = Number(headers['upload-offset'])
      expect(status).toBe(200)
      expect(offset).toBeGreaterThanOrEqual(500_000)
      expect(offset).toBeLessThanOrEqual(1_500_000)
      expect((await patch(server, file, offset, bytes.subarray(offset))).status).toBe(204)
      await expectWhole(server, file, bytes)
      await expectNothingHeld(file)
    })

    test('wait for their client through a restart', async () => {
      const file = await newFile(server, { size: bytes.length })
      const cut = await beginPart(server, file, 0, bytes.length)
      await cut.send(bytes.subarray(0, 2_000_000))
      cut.socket.end()
      await cut.rest()
      await untilListed(server, file, 2_000_000)
      await server.close()
      const { metadataBackend } = server.config
      server = await startServerWithAccounts({ directory, clock: server.clock, config: { metadataBackend } })
      expect(await offsetOf(server, file)).toBe(2_000_000)
      expect((await patch(server, file, 2_000_000, bytes.subarray(2_000_000))).status).toBe(204)
      await expectWhole(server, file, bytes)
      await expectNothingHeld(file)
    })
  })
}
