import { archivePath, type UploadOptions } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawConnection, requestHead, type RawConnection } from '../support/clients/raw-connection.ts'
import { errorIn, jsonIn, sendRequest } from '../support/clients/send-request.ts'
import { fileStatuses, lookUp } from '../support/servers/server-data.ts'
import { randomBytes, storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { mebibyte } from '../../src/domain/sizes.ts'
import { until } from '../support/until.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const store = (content: string | Uint8Array, options: UploadOptions & { readonly fileName?: string } = {}) =>
  storeUpload(server, content, { maxDownloads: 3, ...options })

const get = (path: string, headers: Record<string, string> = {}) => sendRequest(server.url, path, { headers })

const leftOf = async ({ upload }: StoredUpload) =>
  (await server.client.upload(upload.id)).files.map(({ downloadsLeft }) => downloadsLeft)

const gone = { status: 404, code: 'file_not_found' }
const busy = { status: 409, code: 'download_in_progress' }

/** Far more than the network holds between the two sides. */
const large = randomBytes(48 * mebibyte)
const beyondHalf = 25 * mebibyte

/** A download that has received some bytes and then stalls. */
async function stalledDownload(base: string, path: string, length = 1): Promise<RawConnection> {
  const connection = await rawConnection(base)
  await connection.send(requestHead('GET', path))
  expect((await connection.head()).status).toBe(200)
  await connection.take(length)
  return connection
}

const claimedOf = (fileID: string) => lookUp(server, `select claimed from files where id = '${fileID}'`)[0]
const claimsOf = (fileID: string) =>
  lookUp(server, `select count(*) from claims where fileId = '${fileID}'`)[0]

const released = (fileID: string) => until('no download is current', () => claimedOf(fileID) === 0)

test('a file can be downloaded as often as its upload allows, and is then removed', async () => {
  const stored = await store('three times')
  expect(stored.upload).toMatchObject({ maxDownloads: 3, oneShot: false })
  expect(stored.file.downloadsLeft).toBe(3)
  for (const left of [2, 1, 0]) {
    const { status, text, headers } = await get(stored.path)
    expect([status, text, headers['cache-control']]).toEqual([200, 'three times', 'no-store'])
    expect(await leftOf(stored)).toEqual([left])
  }
  expect(errorIn(await get(stored.path))).toEqual(gone)
  expect((await server.client.upload(stored.upload.id)).files).toMatchObject([
    { status: 'removed', usedUp: true },
  ])
})

test('each file has its own downloads', async () => {
  const stored = await store('first')
  const { upload, uploadToken } = stored
  const second = await server.client.addFile(upload.id, new Blob(['second']), { fileName: '2', uploadToken })
  for (let round = 0; round < 3; round++) await get(stored.path)
  expect(await leftOf(stored)).toEqual([0, 3])
  expect((await get(`/file/${upload.id}/${second.id}/2`)).text).toBe('second')
})

test('a removed file gives its quota and its bytes back', async () => {
  const fresh = await startTestServer()
  try {
    const { path } = await storeUpload(fresh, 'twice', { maxDownloads: 2 })
    for (let round = 0; round < 2; round++) await sendRequest(fresh.url, path)
    await until('the file is removed', () => fileStatuses(fresh)[0] === 'removed')
    expect(lookUp(fresh, 'select fileCount from uploads')).toEqual([0])
    expect(lookUp(fresh, 'select size from uploads')).toEqual([0])
    await fresh.clean()
    expect(fileStatuses(fresh)).toEqual(['deleted'])
  } finally {
    await fresh.close()
  }
})

test('an upload without a limit has no counts', async () => {
  const { upload, file } = await storeUpload(server)
  expect([upload.maxDownloads, file.downloadsLeft]).toEqual([undefined, undefined])
})

test('a one-shot upload is one with a single download, by either name', async () => {
  for (const options of [{ oneShot: true }, { maxDownloads: 1 }, { oneShot: true, maxDownloads: 1 }]) {
    const { upload, file, path } = await storeUpload(server, 'once', options)
    expect(upload).toMatchObject({ oneShot: true, maxDownloads: 1 })
    expect(file.downloadsLeft).toBe(1)
    expect((await get(path)).text).toBe('once')
    expect(errorIn(await get(path))).toEqual(gone)
  }
})

test('parallel downloads run at the same time, as many as are left', async () => {
  const { path, file } = await store(large)
  const running = [await stalledDownload(server.url, path), await stalledDownload(server.url, path)]
  expect((await get(path)).status).toBe(200)
  expect(errorIn(await get(path))).toEqual(busy)
  for (const connection of running) connection.cut()
  await released(file.id)
  expect((await get(path)).body.equals(large)).toBe(true)
  expect((await get(path)).status).toBe(200)
  expect(errorIn(await get(path))).toEqual(gone)
})

test('downloads that are cut before half do not count', async () => {
  const stored = await store(large)
  for (let round = 0; round < 5; round++) {
    ;(await stalledDownload(server.url, stored.path)).cut()
    await released(stored.file.id)
  }
  expect(await leftOf(stored)).toEqual([3])
  expect(claimsOf(stored.file.id)).toBe(0)
})

test('three downloads that are cut beyond half count as one', async () => {
  const stored = await store(large, { maxDownloads: 2 })
  const left: unknown[] = []
  for (let round = 0; round < 6; round++) {
    ;(await stalledDownload(server.url, stored.path, beyondHalf)).cut()
    await released(stored.file.id)
    left.push(...(await leftOf(stored)))
  }
  expect(left).toEqual([2, 2, 1, 1, 1, 0])
  expect(errorIn(await get(stored.path))).toEqual(gone)
})

test.each([
  ['a range', { range: 'bytes=0-3' }],
  ['the end of the file', { range: 'bytes=-1' }],
  ['an unsatisfiable range', { range: 'bytes=99-' }],
  ['a matching validator', { 'if-none-match': '*' }],
])('a request for %s is an ordinary download: complete, and counted', async (_name, headers) => {
  const stored = await store('0123456789')
  const response = await get(stored.path, headers)
  const { status, text } = response
  expect({ status, text, ranges: response.headers['accept-ranges'] }).toEqual({
    status: 200,
    text: '0123456789',
    ranges: 'none',
  })
  expect(await leftOf(stored)).toEqual([2])
})

test('HEAD, previews and prefetches do not count', async () => {
  const stored = await store('precious')
  expect((await sendRequest(server.url, stored.path, { method: 'HEAD' })).status).toBe(200)
  expect((await get(stored.path, { 'user-agent': 'Twitterbot/1.0' })).status).toBe(406)
  expect((await get(stored.path, { 'sec-purpose': 'prefetch' })).status).toBe(406)
  const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }
  expect((await get(stored.path, link)).status).toBe(302)
  expect(await leftOf(stored)).toEqual([3])
})

test('an archive counts for each file, once its last byte is sent', async () => {
  const stored = await store('first', { maxDownloads: 2, fileName: '1' })
  const { upload, uploadToken } = stored
  await server.client.addFile(upload.id, new Blob(['second']), { fileName: '2', uploadToken })
  await get(stored.path)
  expect(await leftOf(stored)).toEqual([1, 2])
  expect((await get(archivePath(upload.id, 'all.zip'))).status).toBe(200)
  expect(await leftOf(stored)).toEqual([0, 1])
  // The archive has only the files that are left.
  expect((await get(archivePath(upload.id, 'all.zip'))).text).not.toContain('first')
  expect(await leftOf(stored)).toEqual([0, 0])
})

test('an archive that is cut counts for the files that it has sent', async () => {
  const stored = await store('first', { fileName: '1' })
  const { upload, uploadToken } = stored
  const big = await server.client.addFile(upload.id, new Blob([large]), { fileName: '2', uploadToken })
  const connection = await stalledDownload(server.url, archivePath(upload.id, 'all.zip'), 1_000_000)
  connection.cut()
  await released(big.id)
  expect(await leftOf(stored)).toEqual([2, 3])
})

test('a removal ends the downloads that are running before their last byte', async () => {
  const { path, file, upload, uploadToken } = await store(large)
  const running = await stalledDownload(server.url, path)
  await server.client.removeFile(upload.id, file, { uploadToken })
  expect((await running.rest()).length).toBeLessThan(large.length - 1)
  expect(errorIn(await get(path))).toEqual(gone)
})

describe('claims of instances that stopped', () => {
  test('the claim of a suspended process expires, and its download never ends', async () => {
    const { path } = await store(large, { maxDownloads: 2 })
    expect((await get(path)).status).toBe(200)
    const other = await startTestServer({ directory: server.directory })
    try {
      const stopped = await stalledDownload(server.url, path)
      other.clock.advance(89_000)
      expect(errorIn(await sendRequest(other.url, path))).toEqual(busy)
      other.clock.advance(31_000)
      const { status, body } = await sendRequest(other.url, path)
      expect([status, body.equals(large)]).toEqual([200, true])
      expect((await stopped.rest()).length).toBeLessThan(large.length - 1)
      expect(errorIn(await sendRequest(other.url, path))).toEqual(gone)
    } finally {
      await other.close()
    }
  })

  test('a slow download renews its claim', async () => {
    const { path } = await store(large, { maxDownloads: 2 })
    expect((await get(path)).status).toBe(200)
    const connection = await stalledDownload(server.url, path)
    let received = 1
    for (let minute = 0; minute < 10; minute++) {
      server.clock.advance(60_000)
      expect(errorIn(await get(path))).toEqual(busy)
      const bytes = await connection.take(4 * mebibyte)
      expect(bytes.equals(large.subarray(received, (received += bytes.length)))).toBe(true)
    }
    const rest = await connection.take(large.length - received)
    expect(rest.equals(large.subarray(received))).toBe(true)
    connection.cut()
    await until('the file is used up', async () => (await get(path)).status === 404)
  })
})

describe('the option', () => {
  const create = (options: unknown, on = server) =>
    sendRequest(on.url, '/upload', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options),
    })

  test.each([0, -1, 1.5, '3', true, 1_000_001, 1e300, [3]])('refuses %j', async (maxDownloads) => {
    const response = await create({ maxDownloads })
    expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
    expect(response.text).toContain('maxDownloads')
  })

  test.each([
    [{ maxDownloads: 2, oneShot: true }, 'oneShot'],
    [{ maxDownloads: 2, stream: true }, 'stream'],
  ])('refuses %j', async (options, reason) => {
    const response = await create(options)
    expect(errorIn(response)).toEqual({ status: 400, code: 'invalid_request' })
    expect(response.text).toContain(reason)
  })

  test('null is as if it were absent', async () => {
    expect(jsonIn(await create({ maxDownloads: null }))).not.toHaveProperty('maxDownloads')
  })

  test.each(['0', '-1', '1.5', '', 'x', '1e3', '1000001', '99999999'])(
    'in the query of a quick upload refuses %j',
    async (value) => {
      const response = await sendRequest(server.url, `/a.txt?maxDownloads=${value}`, {
        method: 'PUT',
        body: 'x',
      })
      expect(response.status).toBe(400)
      expect(response.text).toContain('maxDownloads')
    },
  )

  test('works in the query of a quick upload', async () => {
    const link = await sendRequest(server.url, '/a.txt?maxDownloads=2', { method: 'PUT', body: 'quick' })
    const { pathname } = new URL(link.text.trim())
    const statuses = []
    for (let round = 0; round < 3; round++) statuses.push((await get(pathname)).status)
    expect(statuses).toEqual([200, 200, 404])
  })

  test.each([
    ['disabled', 'option_disabled', 'option_disabled', { oneShot: false }],
    ['enabled', { maxDownloads: 2 }, { oneShot: true, maxDownloads: 1 }, { oneShot: false }],
    ['default', { maxDownloads: 2 }, { oneShot: true, maxDownloads: 1 }, { oneShot: true, maxDownloads: 1 }],
    ['forced', 'option_required', { oneShot: true, maxDownloads: 1 }, { oneShot: true, maxDownloads: 1 }],
  ] as const)('follows FeatureOneShot: %s', async (flag, two, one, none) => {
    const flagged = await startTestServer({ features: { feature_one_shot: flag } })
    try {
      const requests = [{ maxDownloads: 2 }, { maxDownloads: 1 }, {}]
      for (const [index, expected] of [two, one, none].entries()) {
        const response = await create(requests[index], flagged)
        if (typeof expected === 'string') expect(errorIn(response)).toEqual({ status: 400, code: expected })
        else expect(jsonIn(response)).toMatchObject(expected)
      }
    } finally {
      await flagged.close()
    }
  })
})
