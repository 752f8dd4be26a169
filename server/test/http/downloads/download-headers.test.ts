import { archivePath, type UploadOptions } from '@svc/contract'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, basic, errorIn } from '../../support/clients/send-request.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { whenUnlocked } from '../../support/databases/when-unlocked.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const security = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-site',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}
const ignoredHeaders = ['date', 'connection', 'keep-alive']
const relevantHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ignoredHeaders.includes(name)))

const started = 'Thu, 01 Jan 2026 00:00:00 GMT'

describe('the headers of every route that serves bytes', () => {
  const fileHeaders = {
    ...security,
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': 'inline; filename=file.txt',
    'cache-control': 'private, no-cache',
    etag: '"9a0364b9e99bb480dd25e1f0284c8555"',
    'last-modified': started,
    'accept-ranges': 'bytes',
  }

  test('a file: GET, HEAD, a range, not modified', async () => {
    const { path } = await storeUpload(server, 'content')
    const get = await sendRequest(server.url, path)
    expect([get.status, relevantHeaders(get.headers)]).toEqual([
      200,
      { ...fileHeaders, 'content-length': '7' },
    ])
    const head = await sendRequest(server.url, path, { method: 'HEAD' })
    expect([head.status, relevantHeaders(head.headers), head.text]).toEqual([
      200,
      { ...fileHeaders, 'content-length': '7' },
      '',
    ])
    const range = await sendRequest(server.url, path, { headers: { range: 'bytes=2-3' } })
    const part = { 'content-length': '2', 'content-range': 'bytes 2-3/7' }
    expect([range.status, relevantHeaders(range.headers)]).toEqual([206, { ...fileHeaders, ...part }])
    const same = await sendRequest(server.url, path, { headers: { 'if-none-match': fileHeaders.etag } })
    expect(same.status).toBe(304)
    expect(relevantHeaders(same.headers)).toMatchObject({ ...security, etag: fileHeaders.etag })
  })

  test('an archive: GET, HEAD, a range', async () => {
    const { upload } = await storeUpload(server, 'content')
    const path = archivePath(upload.id, 'all files.zip')
    const get = await sendRequest(server.url, path)
    const expected = {
      ...security,
      'content-type': 'application/zip',
      'content-disposition': 'inline; filename="all files.zip"',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]+"$/) as string,
      'last-modified': started,
      'accept-ranges': 'bytes',
      'content-length': String(get.body.length),
    }
    expect([get.status, relevantHeaders(get.headers)]).toEqual([200, expected])
    const head = await sendRequest(server.url, path, { method: 'HEAD' })
    expect([head.status, relevantHeaders(head.headers)]).toEqual([200, expected])
    const range = await sendRequest(server.url, path, { headers: { range: 'bytes=0-0' } })
    expect(relevantHeaders(range.headers)).toMatchObject(security)
  })

  test.each<[string, UploadOptions, string]>([
    ['public', {}, 'private, no-cache'],
    ['one-shot', { oneShot: true }, 'no-store'],
    ['protected', { password: 'p' }, 'no-store'],
    ['encrypted', { e2ee: 'other' }, 'no-store'],
  ])('a %s upload has the Cache-Control that matches its protection', async (_kind, options, expected) => {
    const { path, upload, uploadToken } = await storeUpload(server, 'x', options)
    for (const target of [path, archivePath(upload.id, 'a.zip')]) {
      const { headers } = await sendRequest(server.url, target, {
        method: 'HEAD',
        headers: { 'x-uploadtoken': uploadToken },
      })
      expect(headers['cache-control']).toBe(expected)
    }
  })

  test('?dl=1 asks the browser to save, anything else to show', async () => {
    const { path } = await storeUpload(server, 'x')
    const dispositionOf = async (query: string) =>
      (await sendRequest(server.url, path + query)).headers['content-disposition']?.split(';')[0]
    expect(await dispositionOf('?dl=1')).toBe('attachment')
    for (const query of ['', '?dl=0', '?dl=', '?dl=true', '?other=1'])
      expect(await dispositionOf(query)).toBe('inline')
  })

  test('errors must not be cached', async () => {
    const { path } = await storeUpload(server, 'x', { password: 'p' })
    for (const target of [path, `${path}x`, '/file/a/b/c']) {
      expect((await sendRequest(server.url, target)).headers['cache-control']).toBe('no-store')
    }
  })

  test('errors have the security headers', async () => {
    const { path, upload } = await storeUpload(server, 'x', { password: 'p' })
    const paths = [path, `${path}x`, '/file/a/b/c', archivePath(upload.id, 'x.tar')]
    for (const target of paths)
      expect((await sendRequest(server.url, target)).headers).toMatchObject(security)
  })
})

test('a file is not served as a service worker', async () => {
  const { path, upload } = await storeUpload(server, 'self.addEventListener("fetch", () => {})')
  for (const target of [path, archivePath(upload.id, 'a.zip')]) {
    const response = await sendRequest(server.url, target, { headers: { 'service-worker': 'script' } })
    expect(errorIn(response)).toEqual({ status: 403, code: 'service_worker_refused' })
  }
})

describe('a preflight', () => {
  const allowed = {
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': 'Authorization, Range, X-ClientApp',
    'access-control-max-age': '86400',
    'x-content-type-options': 'nosniff',
  }
  const corsHeaders = {
    'access-control-allow-origin': 'https://svc.test',
    'access-control-expose-headers': 'Content-Disposition, Content-Length, Content-Range, ETag',
    vary: 'Origin',
  }
  const unknownPaths = [
    '/file/a/b/c',
    '/file/x/y/z/w',
    '/archive/a/b',
    `/file/${'a'.repeat(16)}/${'b'.repeat(16)}/c`,
  ]

  test('gets a response for every route before anything is loaded', async () => {
    const fresh = await startTestServer()
    try {
      const { path } = await storeUpload(fresh, 'x', { password: 'p', oneShot: true })
      using database = new DatabaseSync(join(fresh.directory, 'svc.db'))
      await whenUnlocked(() => {
        database.exec('pragma foreign_keys = off; drop table if exists files; drop table if exists uploads')
      })
      expect((await sendRequest(fresh.url, path)).status).toBe(500)
      for (const target of [path, ...unknownPaths]) {
        const headers = { origin: 'https://else.test', 'user-agent': 'Googlebot', 'service-worker': 'script' }
        const response = await sendRequest(fresh.url, target, { method: 'OPTIONS', headers })
        expect([target, response.status, relevantHeaders(response.headers), response.text]).toEqual([
          target,
          204,
          allowed,
          '',
        ])
      }
    } finally {
      await fresh.close()
    }
  })

  test('names the domain of the service as the allowed origin, and so do the downloads', async () => {
    const fresh = await startTestServer({ config: { svcDomain: 'https://svc.test' } })
    try {
      const preflight = await sendRequest(fresh.url, '/file/a/b/c', { method: 'OPTIONS' })
      expect(relevantHeaders(preflight.headers)).toEqual({ ...allowed, ...corsHeaders })
      const { id, uploadToken } = await fresh.client.createUpload({ password: 'p' })
      const file = await fresh.client.addFile(id, new Blob(['x']), { fileName: 'f', uploadToken })
      const headers = { authorization: basic('svc', 'p'), origin: 'https://evil.test' }
      const download = await sendRequest(fresh.url, `/file/${id}/${file.id}/f`, { headers })
      expect(relevantHeaders(download.headers)).toMatchObject(corsHeaders)
    } finally {
      await fresh.close()
    }
  })

  test('without a domain no other origin may read', async () => {
    const { path } = await storeUpload(server, 'x')
    const { headers } = await sendRequest(server.url, path, { headers: { origin: 'https://evil.test' } })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})
