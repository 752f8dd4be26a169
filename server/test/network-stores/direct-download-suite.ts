import type { UploadOptions } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { sendRequest, basic } from '../support/clients/send-request.ts'
import type { ManualClock } from '../support/clocks/manual-clock.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'

const picture = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
])

/** A store that serves files itself. */
export interface GivingStore {
  readonly dataBackend: Config['dataBackend']
  readonly endpoint: string
  readonly clock: ManualClock
  /** The fields of its responses. */
  readonly cacheControl: string
  /** The parameter of a URL with its lifetime in seconds. */
  readonly expires: string
  close(): Promise<void>
}

/** Which downloads the store serves, and which the service. */
export function testDirectDownloads(start: () => Promise<GivingStore>): void {
  let store: GivingStore
  let server: TestServer
  let plain: TestServer

  beforeAll(async () => {
    store = await start()
    const { dataBackend, clock } = store
    server = await startTestServer({
      clock,
      config: { dataBackend, directDownloads: true },
      features: { feature_extend_ttl: 'enabled' },
    })
    plain = await startTestServer({ clock, config: { dataBackend } })
  })
  afterAll(async () => {
    await Promise.all([server.close(), plain.close()])
    await store.close()
  })

  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    sendRequest(server.url, path, { method, headers })
  const addressOf = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await get(path, headers)
    expect(reply.status).toBe(302)
    return new URL(String(reply.headers.location))
  }

  test('the store serves a public file under its own name and type', async () => {
    const { path } = await storeUpload(server, picture, { fileName: 'größe.png' })
    const address = await addressOf(path)
    expect(address.origin).toBe(store.endpoint)
    const response = await fetch(address)
    expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true)
    expect(response.headers.get('content-type')).toBe('image/png')
    const own = await get(path, {}, 'HEAD')
    expect(response.headers.get('content-disposition')).toBe(own.headers['content-disposition'])
    expect(response.headers.get('cache-control')).toBe(store.cacheControl)
  })

  test('a redirect is listed as a download of the store', async () => {
    const { path, upload, file, uploadToken } = await storeUpload(server, picture)
    await addressOf(path)
    const { results } = await server.client.downloads(upload.id, {}, { uploadToken })
    expect(results).toMatchObject([{ fileID: file.id, bytes: 0, result: 'direct' }])
  })

  test('the redirect is not cached', async () => {
    const { path } = await storeUpload(server, picture)
    expect((await get(path)).headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
  })

  test('the store serves ranges', async () => {
    const bytes = randomBytes(100_000)
    const { path } = await storeUpload(server, bytes)
    const range = 'bytes=99990-'
    const response = await fetch(await addressOf(path, { range }), { headers: { range } })
    expect(response.status).toBe(206)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(99_990))).toBe(true)
  })

  test.each([
    ['a page', '<!doctype html><script>1</script>', 'application/octet-stream'],
    ['a drawing with scripts', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'application/octet-stream'],
    ['bytes', Buffer.from([0, 1, 2, 3]), 'application/octet-stream'],
  ])('%s is only saved, never shown', async (_, content, type) => {
    const { path } = await storeUpload(server, content)
    const response = await fetch(await addressOf(path))
    await response.body?.cancel()
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  test('a text is shown by the service, which can forbid type sniffing, and saved from the store', async () => {
    const { path } = await storeUpload(server, 'text')
    expect(await get(path)).toMatchObject({ status: 200, text: 'text' })
    const response = await fetch(await addressOf(`${path}?dl=1`))
    expect(await response.text()).toBe('text')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  const protectedBy: UploadOptions = { login: 'svc', password: 'secret-secret' }
  test.each([
    ['that is one-shot', { oneShot: true }, {}],
    ['with a download limit', { maxDownloads: 2 }, {}],
    ['with a password', protectedBy, { authorization: basic('svc', 'secret-secret') }],
    ['that is encrypted', { e2ee: 'other' }, {}],
  ])('a file %s is served by the service', async (_, options, headers) => {
    const { path } = await storeUpload(server, picture, options)
    const reply = await get(path, headers)
    expect([reply.status, reply.body.equals(picture)]).toEqual([200, true])
  })

  describe('the service itself serves', () => {
    test.each([
      ['the web application', { 'x-clientapp': 'web_client' }],
      ['a page of another origin', { origin: 'https://other.example' }],
      ['a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
      ['a picture within a page', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
      ['a frame', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ])('the requests of %s', async (_, headers) => {
      const { path } = await storeUpload(server, picture)
      expect((await get(path, headers)).status).toBe(200)
    })

    test('HEAD, validators and unsatisfiable ranges', async () => {
      const { path, file } = await storeUpload(server, picture)
      expect((await get(path, {}, 'HEAD')).status).toBe(200)
      expect((await get(path, { 'if-none-match': `"${file.md5}"` })).status).toBe(304)
      expect((await get(path, { range: 'bytes=1000-' })).status).toBe(416)
    })

    test('everything unless direct downloads are configured', async () => {
      const { path } = await storeUpload(plain, picture)
      expect((await sendRequest(plain.url, path)).status).toBe(200)
    })
  })

  test('a browser that follows a link is redirected to the store', async () => {
    const { path } = await storeUpload(server, picture)
    await addressOf(path, { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })
  })

  test.each([
    [60, '60'],
    [300, '300'],
    [86_400, '300'],
  ])('a URL for an upload that lives for %d seconds is valid for %s', async (ttl, expected) => {
    const { path } = await storeUpload(server, picture, { ttl })
    expect((await addressOf(path)).searchParams.get(store.expires)).toBe(expected)
  })

  test('a direct download extends an upload', async () => {
    const { path, upload } = await storeUpload(server, picture, { ttl: 3_600, extend_ttl: true })
    server.clock.advance(600_000)
    await addressOf(path)
    const { expireAt } = await server.client.upload(upload.id)
    expect(Date.parse(String(expireAt))).toBe(server.clock.now() + 3_600_000)
  })

  test('a redirect counts as one download for the last byte, and its bytes are not counted', async () => {
    const { path } = await storeUpload(server, picture)
    const measurement = (name: string) =>
      Number(lookUp(server, `select coalesce(sum(value), 0) from "dailyFigures" where name = '${name}'`)[0])
    /**
     * The counters so far.
     * @param marks the number of earlier calls: no other test here uses the option
     */
    const counted = async (marks: number) => {
      await storeUpload(server, picture, { removable: true })
      server.clock.advance(60_000)
      await until('the stats are written', () => measurement('option:removable') === marks)
      return { downloads: measurement('downloads'), bytesOut: measurement('bytesOut') }
    }
    const { downloads, bytesOut } = await counted(1)
    for (const range of ['bytes=0-9', 'bytes=10-', 'bytes=0-0']) await addressOf(path, { range })
    expect(await counted(2)).toEqual({ downloads: downloads + 1, bytesOut })
  })

  test('a removed file has no presigned URL', async () => {
    const { path, upload, uploadToken, file } = await storeUpload(server, picture)
    await server.client.removeFile(upload.id, file, { uploadToken })
    expect((await get(path)).status).toBe(404)
  })
}
