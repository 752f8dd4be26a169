import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { memoryBackend } from '../../src/data/memory/memory.ts'
import { ask, jsonIn } from '../support/ask.ts'
import { describeOn, networkKinds, newDatabase, startDatabaseServer } from '../support/databases.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/test-server.ts'
import { until } from '../support/until.ts'

let server: TestServer
afterEach(() => server.close())
const start = async (options?: TestServerOptions) => {
  server = await startTestServer(options)
}

const look = async (headers: Record<string, string> = {}) => {
  const { status, text } = await ask(server.url, '/ready', { headers })
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
    answer: () => {
      pending.resolve(undefined)
    },
  }
}

describe('GET /ready', () => {
  test('is ok where everything works, and is not cached', async () => {
    await start()
    const { status, text, headers } = await ask(server.url, '/ready')
    expect([status, text, headers['cache-control']]).toEqual([200, 'ok', 'no-store'])
    expect(await server.client.ready()).toBe('ok')
  })

  test('is 503 while the data directory is missing, without a reason', async () => {
    await start()
    const files = join(server.directory, 'files')
    await rename(files, `${files}-away`)
    const refused = await ask(server.url, '/ready')
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(jsonIn(refused)).toEqual({
      code: 'not_ready',
      message: 'this server is not ready, please use another server or try again',
    })
    expect((await ask(server.url, '/health')).status).toBe(200)
    await rename(`${files}-away`, files)
    server.clock.advance(999)
    expect(await look()).toBe(503)
    server.clock.advance(1)
    expect(await look()).toBe('ok')
  })

  test('checks the store once a second, for any number of requests', async () => {
    const data = slowBackend()
    await start({ data })
    const asked = Array.from({ length: 20 }, () => look())
    await until('the store is asked', () => data.pings() > 0)
    data.answer()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['ok']))
    server.clock.advance(999)
    await look()
    expect(data.pings()).toBe(1)
    server.clock.advance(1)
    await look()
    expect(data.pings()).toBe(2)
  })

  test('waits no longer than three seconds for a store, and does not check a stalled one again', async () => {
    const data = slowBackend()
    await start({ data })
    const asked = look()
    await until('the store is asked', () => data.pings() > 0)
    server.clock.advance(2_999)
    server.clock.advance(1)
    expect(await asked).toBe(503)
    server.clock.advance(60_000)
    expect(await look()).toBe(503)
    expect(data.pings()).toBe(1)
    data.answer()
    await until('the answer arrives', async () => (await look()) === 'ok')
  })

  test('is 503 when the store fails', async () => {
    await start({ data: { ...memoryBackend(), ping: () => Promise.reject(new Error('not let in')) } })
    expect(await look()).toBe(503)
  })

  test('responds on every host', async () => {
    await start({ config: { svcDomain: 'https://svc.test', downloadDomain: 'https://files.test' } })
    for (const host of ['svc.test', 'files.test', 'elsewhere.test']) expect(await look({ host })).toBe('ok')
  })
})

for (const kind of networkKinds) {
  describeOn(kind, 'GET /ready', () => {
    test('follows the availability of the database', async () => {
      const database = await startDatabaseServer(kind)
      // After the server has released it.
      onTestFinished(() => database.remove())
      await start({ config: { metadataBackend: await newDatabase(kind, database) } })
      expect(await look()).toBe('ok')
      await database.stop()
      server.clock.advance(1_000)
      expect(await look()).toBe(503)
      await database.start()
      await until('the database is seen again', async () => {
        server.clock.advance(1_000)
        return (await look()) === 'ok'
      })
    })
  })
}
