import { expect, test } from 'vitest'
import { sendRequest } from '../../support/clients/send-request.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { startTestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'

const openConnection = async (url: string) => {
  const connection = await rawConnection(url)
  await connection.send(requestHead('GET', '/health'))
  return { connection, response: await connection.response() }
}

test('one address has a limited number of connections, and may open another after it closes one', async () => {
  const server = await startTestServer({ config: { maxConnectionsPerAddress: 3 } })
  const first = [
    await openConnection(server.url),
    await openConnection(server.url),
    await openConnection(server.url),
  ]
  expect(first.map(({ response }) => response.status)).toEqual([200, 200, 200])
  const rejected = await sendRequest(server.url, '/health')
  expect([rejected.status, rejected.headers['retry-after'], JSON.parse(rejected.text)]).toMatchObject([
    429,
    '5',
    { code: 'too_many_connections' },
  ])
  // The others are still served.
  await first[1]?.connection.send(requestHead('GET', '/health'))
  expect((await first[1]?.connection.response())?.status).toBe(200)
  first[0]?.connection.cut()
  await until(
    'another connection is accepted',
    async () => (await sendRequest(server.url, '/health')).status === 200,
  )
  for (const { connection } of first) connection.cut()
  await server.close()
})

test.each([
  ['a trusted proxy', { maxConnectionsPerAddress: 1, trustedProxies: ['127.0.0.1'] }],
  ['every client without a limit', { maxConnectionsPerAddress: 0 }],
])('%s may have any number of connections', async (_who, config) => {
  const server = await startTestServer({ config })
  const all = [
    await openConnection(server.url),
    await openConnection(server.url),
    await openConnection(server.url),
  ]
  expect(all.map(({ response }) => response.status)).toEqual([200, 200, 200])
  for (const { connection } of all) connection.cut()
  await server.close()
})
