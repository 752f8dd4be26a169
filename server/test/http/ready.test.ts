import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import { sendRequest, jsonIn } from '../support/clients/send-request.ts'
import {
  describeOn,
  networkKinds,
  newDatabase,
  startOwnServer,
} from '../support/databases/network-databases.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

let server: TestServer
afterEach(() => server.close())
const start = async (options?: TestServerOptions) => {
  server = await startTestServer(options)
}

const check = async (headers: Record<string, string> = {}) => {
  const { status, text } = await sendRequest(server.url, '/ready', { headers })
  return status === 200 ? text : status
}

/** A store whose readiness the test controls. */
function slowBackend() {
  let pings = 0
  const pending = Promise.withResolvers<undefined>()
  return {
    ...memoryBackend(),
    ping: async () => {
      pings += 1
      await pending.promise
    },
    pings: () => pings,
    response: () => {
      pending.resolve(undefined)
    },
  }
}

describe('GET /ready', () => {
  test('is ok where everything works, and is not cached', async () => {
    await start()
    const { status, text, headers } = await sendRequest(server.url, '/ready')
    expect([status, text, headers['cache-control']]).toEqual([200, 'ok', 'no-store'])
    expect(await server.client.ready()).toBe('ok')
  })

  test('is 503 while the data directory is missing, without a reason', async () => {
    await start()
    const files = join(server.directory, 'files')
    await rename(files, `${files}-away`)
    // The result of the check at the start is no longer fresh.
    server.clock.advance(1_000)
    const rejected = await sendRequest(server.url, '/ready')
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '5'])
    expect(jsonIn(rejected)).toEqual({
      code: 'not_ready',
      message: 'this server is not ready: use another server or try again',
    })
    expect((await sendRequest(server.url, '/health')).status).toBe(200)
    await rename(`${files}-away`, files)
    server.clock.advance(999)
    expect(await check()).toBe(503)
    server.clock.advance(1)
    expect(await check()).toBe('ok')
  })

  test('checks the store once a second, for any number of requests', async () => {
    const data = slowBackend()
    await start({ data })
    const checks = Array.from({ length: 20 }, () => check())
    await until('the store is checked', () => data.pings() > 0)
    data.response()
    expect(new Set(await Promise.all(checks))).toEqual(new Set(['ok']))
    server.clock.advance(999)
    await check()
    expect(data.pings()).toBe(1)
    server.clock.advance(1)
    await check()
    expect(data.pings()).toBe(2)
  })

  test('waits no longer than three seconds for a store, and does not check a stalled one again', async () => {
    const data = slowBackend()
    await start({ data })
    const checks = check()
    await until('the store is checked', () => data.pings() > 0)
    server.clock.advance(2_999)
    server.clock.advance(1)
    expect(await checks).toBe(503)
    server.clock.advance(60_000)
    expect(await check()).toBe(503)
    expect(data.pings()).toBe(1)
    data.response()
    await until('the response arrives', async () => (await check()) === 'ok')
  })

  test('is 503 when the store fails', async () => {
    await start({ data: { ...memoryBackend(), ping: () => Promise.reject(new Error('not let in')) } })
    expect(await check()).toBe(503)
  })

  test('responds on every host', async () => {
    await start({ config: { svcDomain: 'https://svc.test', downloadDomain: 'https://files.test' } })
    for (const host of ['svc.test', 'files.test', 'elsewhere.test']) expect(await check({ host })).toBe('ok')
  })
})

for (const kind of networkKinds) {
  describeOn(kind, 'GET /ready', () => {
    test('follows the availability of the database', async () => {
      const database = await startOwnServer(kind)
      // After the server has released it.
      onTestFinished(() => database.remove())
      await start({ config: { metadataBackend: await newDatabase(kind, database) } })
      expect(await check()).toBe('ok')
      await database.stop()
      server.clock.advance(1_000)
      expect(await check()).toBe(503)
      await database.start()
      await until('the database is seen again', async () => {
        server.clock.advance(1_000)
        return (await check()) === 'ok'
      })
    })
  })
}
