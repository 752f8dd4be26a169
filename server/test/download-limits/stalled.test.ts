import { afterEach, beforeEach, expect, test } from 'vitest'
import { rawConnection, requestHead, type RawConnection } from '../support/clients/raw-connection.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { sendRequest } from '../support/clients/send-request.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { mebibyte } from '../../src/domain/sizes.ts'
import { until } from '../support/until.ts'

const minute = 60_000

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

/** Far more than the socket buffers hold. */
const large = randomBytes(48 * mebibyte)

const statusOf = async (path: string) => (await sendRequest(server.url, path)).status

async function stalledDownload(path: string): Promise<RawConnection> {
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', path))
  expect((await connection.head()).status).toBe(200)
  await connection.take(1)
  return connection
}

test.each([{ maxDownloads: 1 }, { oneShot: true }, { maxDownloads: 2 }])(
  'a download whose client stops reading releases its claim after five minutes: %j',
  async (options) => {
    const { path } = await storeUpload(server, large, options)
    for (let others = (options.maxDownloads ?? 1) - 1; others > 0; others -= 1)
      expect(await statusOf(path)).toBe(200)
    await stalledDownload(path)
    server.clock.advance(4 * minute)
    expect(await statusOf(path)).toBe(409)
    // The five minutes begin when the network takes no more.
    await until('the claim is released', async () => {
      server.clock.advance(minute)
      return (await statusOf(path)) === 200
    })
    expect(await statusOf(path)).toBe(404)
  },
)

test('a slow download keeps its claim while bytes are read', async () => {
  const { path } = await storeUpload(server, large, { maxDownloads: 1 })
  const slow = await stalledDownload(path)
  for (let minutes = 0; minutes < 12; minutes += 4) {
    await slow.take(10 * mebibyte)
    server.clock.advance(4 * minute)
  }
  expect(await statusOf(path)).toBe(409)
  slow.cut()
  await until('the claim is released', async () => (await statusOf(path)) === 200)
})

test('a download without a limit may stall', async () => {
  const { path } = await storeUpload(server, large)
  const slow = await stalledDownload(path)
  server.clock.advance(30 * minute)
  expect((await slow.take(large.length - 1)).equals(large.subarray(1))).toBe(true)
})
