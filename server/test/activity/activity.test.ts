import { archivePath, type Download, type Page } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { errorIn, jsonIn, sendRequest } from '../support/clients/send-request.ts'
import { randomBytes, storeUpload, type StoredUpload } from '../support/clients/stored-upload.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { newRequest, sendOne } from '../requests/caller.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { mebibyte } from '../../src/domain/sizes.ts'
import { until } from '../support/until.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ features: { feature_extend_ttl: 'enabled' } })
})
afterAll(() => server.close())

const activityPath = ({ upload }: StoredUpload, query = '') => `/upload/${upload.id}/activity?${query}`

async function pageOf(stored: StoredUpload, query = '', on = server): Promise<Page<Download>> {
  const headers = { 'x-uploadtoken': stored.uploadToken }
  const response = await sendRequest(on.url, activityPath(stored, query), { headers })
  expect(response.status).toBe(200)
  return jsonIn(response) as Page<Download>
}

const downloadsOf = async (stored: StoredUpload, on = server) => (await pageOf(stored, '', on)).results

const get = (path: string, headers: Record<string, string> = {}) => sendRequest(server.url, path, { headers })

test('an upload lists its downloads, the newest first, without addresses', async () => {
  const stored = await storeUpload(server, 'content')
  await get(stored.path, { 'user-agent': 'curl/8.9.1' })
  server.clock.advance(1_000)
  await get(stored.path, { 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0', range: 'bytes=2-4' })
  const now = server.clock.now()
  expect(await pageOf(stored)).toEqual({
    before: null,
    after: null,
    total: 2,
    results: [
      {
        endedAt: new Date(now).toISOString(),
        fileID: stored.file.id,
        bytes: 3,
        result: 'part',
        client: 'browser',
      },
      {
        endedAt: new Date(now - 1_000).toISOString(),
        fileID: stored.file.id,
        bytes: 7,
        result: 'whole',
        client: 'curl',
      },
    ],
  })
})

test('the manifest of an encrypted upload is read without a download', async () => {
  const age = 'age-encryption.org/v1\n-> scrypt c2FsdA 10\n'
  const encrypted = { e2ee: 'age', extend_ttl: true, ttl: 1_000 }
  const stored = await storeUpload(server, age, { fileName: '.svc-manifest.age', ...encrypted })
  server.clock.advance(500_000)
  await get(stored.path)
  await get(stored.path, { range: 'bytes=2-4' })
  expect(await downloadsOf(stored)).toEqual([])
  const { expireAt } = await server.client.upload(stored.upload.id)
  expect(expireAt).toBe(stored.upload.expireAt)
  // A plain upload has none.
  const plain = await storeUpload(server, age, { fileName: '.svc-manifest.age' })
  await get(plain.path)
  expect(await downloadsOf(plain)).toHaveLength(1)
})

test('a download that breaks off has the bytes that were sent', async () => {
  const size = 48 * mebibyte
  const stored = await storeUpload(server, randomBytes(size))
  const connection = await rawConnection(server.url)
  await connection.send(requestHead('GET', stored.path))
  await connection.head()
  await connection.take(mebibyte)
  connection.cut()
  await until('the download has ended', async () => (await downloadsOf(stored)).length === 1)
  const [{ bytes, result } = { bytes: 0, result: '' }] = await downloadsOf(stored)
  expect(result).toBe('broken')
  expect(bytes).toBeGreaterThanOrEqual(mebibyte)
  expect(bytes).toBeLessThan(size)
})

test('an archive is one download without a file', async () => {
  const stored = await storeUpload(server, 'content')
  const archive = await get(archivePath(stored.upload.id, 'all.zip'))
  const [download] = await downloadsOf(stored)
  expect(download).toMatchObject({ bytes: archive.body.length, result: 'whole' })
  expect(download).not.toHaveProperty('fileID')
})

test('a download of a one-shot file is listed after the file is gone', async () => {
  const stored = await storeUpload(server, 'once', { oneShot: true })
  await get(stored.path)
  expect(await downloadsOf(stored)).toMatchObject([{ fileID: stored.file.id, bytes: 4, result: 'whole' }])
})

test('a stream is listed with its recipient', async () => {
  const { id, uploadToken = '' } = await server.client.createUpload({
    stream: true,
    files: [{ fileName: 'live.txt' }],
  })
  const { files } = await server.client.upload(id)
  const path = `/stream/${id}/${files[0]?.id ?? ''}/live.txt`
  const form = new FormData()
  form.set('file', new Blob(['live']), 'live.txt')
  const sending = fetch(server.url + path, {
    method: 'POST',
    body: form,
    headers: { 'x-uploadtoken': uploadToken },
  })
  await until(
    'the recipient has it',
    async () => (await get(path, { 'user-agent': 'Wget/1.21' })).text === 'live',
  )
  expect((await sending).status).toBe(200)
  const stored = { upload: { id }, uploadToken } as StoredUpload
  expect(await downloadsOf(stored)).toMatchObject([{ bytes: 4, result: 'whole', client: 'wget' }])
})

test('requests without bytes are not downloads', async () => {
  const stored = await storeUpload(server, 'content')
  await sendRequest(server.url, stored.path, { method: 'HEAD' })
  expect((await get(stored.path, { 'if-none-match': `"${stored.file.md5}"` })).status).toBe(304)
  expect((await get(stored.path, { range: 'bytes=99-' })).status).toBe(416)
  expect(await downloadsOf(stored)).toEqual([])
})

test('who has only the link sees nothing', async () => {
  const stored = await storeUpload(server)
  expect(errorIn(await get(activityPath(stored)))).toEqual({ status: 403, code: 'not_allowed' })
  expect(errorIn(await get(activityPath(stored), { 'x-uploadtoken': 'x'.repeat(32) }))).toEqual({
    status: 403,
    code: 'not_allowed',
  })
})

test('the downloads of a received upload are not for its sender, and the error says whose they are', async () => {
  const { id, access } = await newRequest(server)
  const { upload, uploadToken } = await sendOne(server.client, id)
  const path = `/upload/${upload.id}/activity`
  for (const headers of [access, { ...access, uploadToken }])
    expect(await server.client.downloads(upload.id, {}, headers)).toMatchObject({ total: 0 })
  for (const headers of [{ 'x-uploadtoken': uploadToken }, undefined]) {
    const response = await get(path, headers)
    expect(errorIn(response)).toEqual({ status: 403, code: 'not_allowed' })
    expect(response.text).toContain('send the token of its request')
  }
})

test('pages continue at their cursors, in both orders', async () => {
  const stored = await storeUpload(server)
  for (let count = 0; count < 7; count++) {
    if (count % 2 === 0) server.clock.advance(1_000)
    await get(stored.path, { range: `bytes=0-${String(count % 7)}` })
  }
  const all = await downloadsOf(stored)
  expect(all).toHaveLength(7)
  for (const order of ['desc', 'asc']) {
    const found: Download[] = []
    let cursor = ''
    do {
      const page = await pageOf(stored, `limit=3&order=${order}${cursor}`)
      found.push(...page.results)
      cursor = page.after === null ? '' : `&after=${page.after}`
    } while (cursor !== '')
    expect(found).toEqual(order === 'asc' ? all.toReversed() : all)
  }
  const headers = { 'x-uploadtoken': stored.uploadToken }
  expect(errorIn(await get(activityPath(stored, 'after=x'), headers))).toEqual({
    status: 400,
    code: 'invalid_cursor',
  })
})

test('an upload keeps its newest thousand downloads', async () => {
  const stored = await storeUpload(server)
  for (let round = 0; round < 6; round++) {
    await Promise.all(Array.from({ length: 200 }, () => get(stored.path)))
    await pageOf(stored)
  }
  expect((await pageOf(stored)).total).toBe(1_000)
})

test('downloads of all instances are written every five seconds, and when an instance stops', async () => {
  const stored = await storeUpload(server)
  const other = await startTestServer({ directory: server.directory, clock: server.clock })
  await sendRequest(other.url, stored.path)
  expect(await downloadsOf(stored)).toEqual([])
  server.clock.advance(5_000)
  await until('the other instance has written', async () => (await downloadsOf(stored)).length === 1)
  await sendRequest(other.url, stored.path)
  await other.close()
  expect(await downloadsOf(stored)).toHaveLength(2)
})

test('with ActivityAddresses, downloads have addresses, until it is off again', async () => {
  const shown = await startTestServer({
    directory: server.directory,
    clock: server.clock,
    config: { activityAddresses: true },
  })
  const stored = await storeUpload(shown)
  await sendRequest(shown.url, stored.path)
  expect(await downloadsOf(stored, shown)).toMatchObject([{ address: '127.0.0.1' }])
  await shown.close()
  const [download] = await downloadsOf(stored)
  expect(download).not.toHaveProperty('address')
})

test('the downloads of a removed upload are deleted with its names', async () => {
  const fresh = await startTestServer()
  try {
    const stored = await storeUpload(fresh)
    await sendRequest(fresh.url, stored.path)
    await downloadsOf(stored, fresh)
    expect(lookUp(fresh, 'select count(*) from downloads')).toEqual([1])
    await fresh.client.removeUpload(stored.upload.id, { uploadToken: stored.uploadToken })
    await fresh.clean()
    expect(lookUp(fresh, 'select count(*) from downloads')).toEqual([0])
    const headers = { 'x-uploadtoken': stored.uploadToken }
    expect(errorIn(await sendRequest(fresh.url, activityPath(stored), { headers }))).toEqual({
      status: 404,
      code: 'upload_not_found',
    })
  } finally {
    await fresh.close()
  }
})
