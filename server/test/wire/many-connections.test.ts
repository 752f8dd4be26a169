import { expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { rawConnection, requestHead } from '../support/raw-connection.ts'
import { startTestServer } from '../support/test-server.ts'
import { until } from '../support/until.ts'

const opened = async (url: string) => {
  const connection = await rawConnection(url)
  await connection.send(requestHead('GET', '/health'))
  return { connection, response: await connection.answer() }
}

test('one address has a limited number of connections, and may open another after it closes one', async () => {
  const server = await startTestServer({ config: { maxConnectionsPerAddress: 3 } })
  const first = [await opened(server.url), await opened(server.url), await opened(server.url)]
  expect(first.map(({ response }) => response.status)).toEqual([200, 200, 200])
  const rejected = await ask(server.url, '/health')
  expect([rejected.status, rejected.headers['retry-after'], JSON.parse(rejected.text)]).toMatchObject([
    429,
    '5',
    { code: 'too_many_connections' },
  ])
  // The others are still served.
  await first[1]?.connection.send(requestHead('GET', '/health'))
  expect((await first[1]?.connection.answer())?.status).toBe(200)
  first[0]?.connection.cut()
  await until('there is room again', async () => (await ask(server.url, '/health')).status === 200)
  for (const { connection } of first) connection.cut()
  await server.close()
})

test.each([
  ['a trusted proxy', { maxConnectionsPerAddress: 1, trustedProxies: ['127.0.0.1'] }],
  ['every client without a limit', { maxConnectionsPerAddress: 0 }],
])('%s may have any number of connections', async (_who, config) => {
  const server = await startTestServer({ config })
  const all = [await opened(server.url), await opened(server.url), await opened(server.url)]
  expect(all.map(({ response }) => response.status)).toEqual([200, 200, 200])
  for (const { connection } of all) connection.cut()
  await server.close()
})
