import { readdirSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxWaiting } from '../../../src/http/connections/serialize-requests.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const requests = (count: number, path = '/health') => requestHead('GET', path, {}).repeat(count)

test('pipelined requests get their responses in order', async () => {
  const { upload } = await storeUpload(server)
  const connection = await rawConnection(server.url)
  const unknown = requestHead('GET', '/upload/missing', {})
  const create = requestHead('POST', '/upload', { 'content-type': 'application/json', 'content-length': 2 })
  await connection.send(`${unknown}${create}{}${requestHead('GET', `/upload/${upload.id}`, {})}`)
  const statuses = []
  for (let count = 0; count < 3; count += 1) statuses.push((await connection.response()).status)
  expect(statuses).toEqual([404, 200, 200])
  await connection.send(requests(1))
  expect((await connection.response()).status).toBe(200)
  connection.cut()
})

test('a connection closes after its responses if more requests are pipelined than may wait', async () => {
  const connection = await rawConnection(server.url)
  await connection.send(requests(1_000))
  const text = (await connection.rest()).toString()
  expect(text.split('HTTP/1.1 200 OK')).toHaveLength(1 + 1 + maxWaiting)
})

test('a body of the last pipelined request is read', async () => {
  const connection = await rawConnection(server.url)
  const put = requestHead('PUT', '/name', { 'content-length': 1_000_000 })
  await connection.send(requests(3) + put)
  for (let count = 0; count < 3; count += 1) expect((await connection.response()).status).toBe(200)
  await connection.send(Buffer.alloc(1_000_000))
  expect((await connection.response()).status).toBe(200)
  connection.cut()
})

test('pipelined downloads that the client does not read open one file at a time', async () => {
  const { file, path } = await storeUpload(server, Buffer.alloc(8_000_000))
  const isOpen = (descriptor: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).includes(file.id)
    } catch {
      return false
    }
  }
  const open = () => readdirSync('/proc/self/fd').filter(isOpen).length
  const connection = await rawConnection(server.url)
  connection.socket.pause()
  await connection.send(requests(30, path))
  await until('the first download has begun', () => open() > 0)
  // Time to begin the others, too.
  for (let count = 0; count < 20; count += 1) await fetch(`${server.url}/health`)
  expect(open()).toBe(1)
  connection.cut()
  await until('it has ended', () => open() === 0)
})
