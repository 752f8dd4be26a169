import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendRequest } from '../support/clients/send-request.ts'
import { fileForm, formType } from '../support/clients/forms.ts'
import { rawConnection, requestHead, type RawConnection } from '../support/clients/raw-connection.ts'
import { fileStatuses } from '../support/servers/server-data.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { emptyDirectory, signalUntilEnded, startSvcd, type Svcd } from '../support/servers/svcd.ts'
import { until } from '../support/until.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

const bytes = Buffer.from(randomBytes(48 * mebibyte))

let directory: string
let server: Svcd
beforeEach(async () => {
  directory = await emptyDirectory()
  server = await startSvcd(directory)
})
afterEach(async () => {
  server.kill('SIGKILL')
  await server.ended
})

/** A download that is on its way, far from its end. */
async function runningDownload(): Promise<RawConnection> {
  const { path } = await storeUpload(server, bytes)
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', path))
  expect((await connection.head()).status).toBe(200)
  await connection.take(1_000)
  return connection
}

const stopping = () => until('the server stops', () => server.log().includes('stopping'))

const accepts = () =>
  sendRequest(server.url, '/health').then(
    () => true,
    () => false,
  )

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('lets a running download finish, takes no new connection, and ends with 0', async () => {
    const connection = await runningDownload()
    server.kill(signal)
    await stopping()
    await until('new connections are refused', async () => !(await accepts()))
    const rest = await connection.take(bytes.length - 1_000)
    expect(rest.equals(bytes.subarray(1_000))).toBe(true)
    connection.socket.end()
    const { status, signal: killedBy } = await server.ended
    expect([status, killedBy]).toEqual([0, null])
  })

  test('given twice ends the process at once', async () => {
    const connection = await runningDownload()
    server.kill(signal)
    await stopping()
    const { status } = await signalUntilEnded(server, signal)
    expect(status).toBe(1)
    expect((await connection.rest()).length).toBeLessThan(bytes.length - 1_000)
  })
})

// Without the rule it ends, too, after the 72 s for which Fastify keeps an idle connection.
test('a client that keeps its connection does not hold the server', { timeout: 70_000 }, async () => {
  server.kill('SIGKILL')
  await server.ended
  server = await startSvcd(directory, { SHUTDOWN_TIMEOUT_STR: '1h' })
  const connection = await runningDownload()
  server.kill('SIGTERM')
  await stopping()
  await connection.take(bytes.length - 1_000)
  expect((await server.ended).status).toBe(0)
})

test('a download whose last bytes its client has not taken yet is finished', async () => {
  const { path } = await storeUpload(server, bytes)
  // Of these the network holds the small ones whole; of some, the end is written and waits here.
  const downloads = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      const length = (index + 1) * 512 * 1024
      const connection = await rawConnection(server.url)
      const headers = { range: `bytes=0-${String(length - 1)}`, connection: 'close' }
      await connection.send(requestHead('GET', path, headers))
      expect((await connection.head()).status).toBe(206)
      return { connection, length }
    }),
  )
  for (let round = 0; round < 20; round++) await accepts()
  server.kill('SIGTERM')
  await stopping()
  const taken = await Promise.all(downloads.map(({ connection }) => connection.rest()))
  expect(taken.map((rest) => rest.length)).toEqual(downloads.map(({ length }) => length))
  expect((await server.ended).status).toBe(0)
})

test('a running upload is finished too', async () => {
  const { id, uploadToken = '' } = await server.client.createUpload()
  const body = fileForm(bytes)
  const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType, 'content-length': body.length }
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('POST', `/file/${id}`, headers))
  await connection.send(body.subarray(0, 1_000_000))
  await until('the file is arriving', () => fileStatuses(server).includes('uploading'))
  server.kill('SIGTERM')
  await stopping()
  await connection.send(body.subarray(1_000_000))
  expect((await connection.response()).status).toBe(200)
  connection.socket.end()
  expect((await server.ended).status).toBe(0)
  expect(fileStatuses(server)).toEqual(['uploaded'])
})

test('a readiness check that arrives as the server stops gets the response that it is not ready', async () => {
  const running = await runningDownload()
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', '/ready'))
  expect((await connection.response()).body.toString()).toBe('ok')
  const head = requestHead('GET', '/ready')
  await connection.send(head.slice(0, -2))
  server.kill('SIGTERM')
  await stopping()
  await connection.send(head.slice(-2))
  const { status, body } = await connection.response()
  expect([status, JSON.parse(body.toString())]).toMatchObject([503, { code: 'not_ready' }])
  expect((await running.take(bytes.length - 1_000)).equals(bytes.subarray(1_000))).toBe(true)
  running.socket.end()
  expect((await server.ended).status).toBe(0)
})

test('an unused server ends at once, even with idle connections', async () => {
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', '/health'))
  expect((await connection.response()).status).toBe(200)
  server.kill('SIGTERM')
  expect((await server.ended).status).toBe(0)
})

test('transfers that last longer than ShutdownTimeoutStr are cut', async () => {
  server.kill('SIGKILL')
  await server.ended
  server = await startSvcd(directory, { SHUTDOWN_TIMEOUT_STR: '1s' })
  const connection = await runningDownload()
  server.kill('SIGTERM')
  const { status } = await server.ended
  expect(status).toBe(0)
  expect((await connection.rest()).length).toBeLessThan(bytes.length - 1_000)
})
