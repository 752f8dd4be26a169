import { limits, type UploadOptions } from '@svc/contract'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorIn, basic, sendRequest } from '../support/clients/send-request.ts'
import { rawConnection, requestHead } from '../support/clients/raw-connection.ts'
import { lookUp } from '../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import { ageFile, getPreview, jpeg, pathOf, png, putPreview, webp, storeLarge } from './images.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ features: { feature_extend_ttl: 'enabled' } })
})
afterAll(() => server.close())

test.for([
  ['JPEG', jpeg, 'image/jpeg'],
  ['PNG of 30,000 × 30,000 pixels', png, 'image/png'],
  ['WebP of the most bytes', webp(limits.previewBytes), 'image/webp'],
] as const)('a %s is stored, and sent unchanged with its type', async ([, image, type]) => {
  const stored = await storeLarge(server)
  expect(await putPreview(server, stored, image)).toMatchObject({ status: 204, text: '' })
  const { status, headers, body } = await getPreview(server, stored)
  expect([status, headers['content-type'], Buffer.compare(body, image)]).toEqual([200, type, 0])
  expect((await server.client.upload(stored.upload.id)).files).toMatchObject([{ preview: true }])
})

test('a preview has the careful headers of a file, and is revalidated', async () => {
  const stored = await storeLarge(server)
  await putPreview(server, stored)
  const { headers } = await getPreview(server, stored)
  const file = (await sendRequest(server.url, stored.path)).headers
  for (const name of [
    'content-security-policy',
    'x-content-type-options',
    'cross-origin-resource-policy',
    'referrer-policy',
    'x-frame-options',
    'cache-control',
  ])
    expect([name, headers[name]]).toEqual([name, file[name]])
  expect(headers['content-disposition']).toContain('preview')
  const again = await getPreview(server, stored, { headers: { 'if-none-match': headers.etag ?? '' } })
  expect([again.status, again.body.length]).toEqual([304, 0])
  const head = await getPreview(server, stored, { method: 'HEAD' })
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '60', 0])
  const part = await getPreview(server, stored, { headers: { range: 'bytes=0-3' } })
  expect([part.status, part.body.length]).toEqual([200, 60])
})

test.for([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', {}, 'unsupported_media_type'],
  ['HTML', '<script>alert(1)</script>', {}, 'unsupported_media_type'],
  ['a GIF', 'GIF89a\u0001\0\u0001\0\0\0\0', {}, 'unsupported_media_type'],
  ['nothing', '', {}, 'unsupported_media_type'],
  ['an encrypted image', ageFile, {}, 'unsupported_media_type'],
  ['a byte too much', webp(limits.previewBytes + 1), {}, 'body_too_big'],
  ['a plain image of an encrypted file', webp(), { e2ee: 'age' }, 'not_encrypted'],
  ['a preview of a one-shot file', webp(), { oneShot: true }, 'preview_refused'],
  ['a preview of a limited file', webp(), { maxDownloads: 2 }, 'preview_refused'],
] as const)(
  '%s is refused',
  async ([, body, options, code]: readonly [string, Uint8Array | string, UploadOptions, string]) => {
    const content = options.e2ee === undefined ? 'content' : ageFile
    const stored = await storeLarge(server, content, options)
    const before = lookUp(server, 'select count(*) from previews')
    // What the sender says about its type does not count.
    const headers = { 'content-type': 'image/png' }
    expect(errorIn(await putPreview(server, stored, body, { headers }))).toMatchObject({ code })
    expect(lookUp(server, 'select count(*) from previews')).toEqual(before)
    expect((await server.client.upload(stored.upload.id)).files[0]).not.toHaveProperty('preview')
  },
)

test('a body without a length is read up to the limit, and the connection gets the error', async () => {
  const stored = await storeLarge(server)
  const connection = await rawConnection(server.url)
  const headers = { 'x-uploadtoken': stored.uploadToken, 'transfer-encoding': 'chunked' }
  await connection.send(requestHead('PUT', pathOf(stored), headers))
  const chunk = Buffer.from(webp(40_000))
  await connection.send(Buffer.concat([Buffer.from('9c40\r\n'), chunk, Buffer.from('\r\n0\r\n\r\n')]))
  expect((await connection.head()).status).toBe(413)
  connection.cut()
})

test('a preview that breaks off is not stored', async () => {
  const stored = await storeLarge(server)
  const connection = await rawConnection(server.url)
  const headers = { 'x-uploadtoken': stored.uploadToken, 'content-length': '60' }
  await connection.send(requestHead('PUT', pathOf(stored), headers))
  await connection.send(Buffer.from(webp().subarray(0, 30)))
  connection.cut()
  expect(await putPreview(server, stored)).toMatchObject({ status: 204 })
  await until('the preview is there', async () => (await getPreview(server, stored)).status === 200)
})

test('the preview of an encrypted file is sent as bytes, and never cached', async () => {
  const stored = await storeLarge(server, ageFile, { e2ee: 'age' })
  expect((await putPreview(server, stored, ageFile)).status).toBe(204)
  const { headers, body } = await getPreview(server, stored)
  expect([headers['content-type'], headers['cache-control']]).toEqual([
    'application/octet-stream',
    'no-store',
  ])
  expect(Buffer.compare(body, ageFile)).toBe(0)
})

test('a preview is never replaced, and one of two that race is stored', async () => {
  const stored = await storeLarge(server)
  const images = [webp(), jpeg, png, webp(70)]
  const responses = await Promise.all(images.map((image) => putPreview(server, stored, image)))
  const winners = responses.flatMap(({ status }, index) => (status === 204 ? [index] : []))
  expect(winners).toHaveLength(1)
  for (const [index, response] of responses.entries())
    if (!winners.includes(index)) expect(errorIn(response)).toEqual({ status: 409, code: 'preview_exists' })
  const { body } = await getPreview(server, stored)
  expect(Buffer.compare(body, images[winners[0] ?? 0] ?? webp())).toBe(0)
  expect(errorIn(await putPreview(server, stored, jpeg))).toMatchObject({ code: 'preview_exists' })
})

test('a file without bytes, a removed one and one of an ended upload take no preview and show none', async () => {
  const declared = await server.client.createUpload({ files: [{ fileName: 'a.png' }] })
  const [file] = declared.files
  if (file === undefined) throw new Error('no file')
  const missing = { upload: declared, uploadToken: declared.uploadToken ?? '', file, path: '' }
  expect(errorIn(await putPreview(server, missing))).toMatchObject({ code: 'file_not_found' })

  const removed = await storeLarge(server)
  await putPreview(server, removed)
  const { uploadToken } = removed
  await server.client.removeFile(removed.upload.id, removed.file, { uploadToken })
  expect(errorIn(await getPreview(server, removed))).toMatchObject({ code: 'file_not_found' })
  expect(errorIn(await putPreview(server, removed))).toMatchObject({ code: 'file_not_found' })
  expect((await server.client.upload(removed.upload.id)).files[0]).not.toHaveProperty('preview')

  const expired = await storeLarge(server, 'content', { ttl: 60 })
  await putPreview(server, expired)
  server.clock.advance(61_000)
  for (const response of [await getPreview(server, expired), await putPreview(server, expired)])
    expect(errorIn(response)).toMatchObject({ code: 'upload_not_found' })
})

test('a file without a preview has none to show', async () => {
  const stored = await storeLarge(server)
  expect(errorIn(await getPreview(server, stored))).toEqual({ status: 404, code: 'file_not_found' })
})

test('a protected upload shows its previews with the password only', async () => {
  const stored = await storeLarge(server, 'content', { login: 'ada', password: 'secret' })
  await putPreview(server, stored)
  expect((await getPreview(server, stored)).status).toBe(401)
  const headers = { authorization: basic('ada', 'secret') }
  const { status, headers: shown } = await getPreview(server, stored, { headers })
  expect([status, shown['cache-control']]).toEqual([200, 'no-store'])
})

test('a preview counts as no download: no activity, no longer life, not in archives and listings', async () => {
  const stored = await storeLarge(server, 'content', { ttl: 100, extend_ttl: true, fileName: 'preview' })
  const { upload, uploadToken } = stored
  await putPreview(server, stored)
  server.clock.advance(50_000)
  await getPreview(server, stored)
  await sendRequest(server.url, `/file/${upload.id}/`)
  server.clock.advance(5_000)
  expect((await server.client.downloads(upload.id, {}, { uploadToken })).results).toEqual([])
  expect((await server.client.upload(upload.id)).expireAt).toBe(upload.expireAt)
  const archive = await sendRequest(server.url, `/archive/${upload.id}/a.zip`)
  expect(archive.text.split('WEBP')).toHaveLength(1)
  expect(archive.text).toContain('content')
})

test('where the feature is off, no preview is added, and those that exist are shown', async () => {
  const stored = await storeLarge(server)
  await putPreview(server, stored)
  const { directory, clock } = server
  const other = await startTestServer({ directory, clock, features: { feature_previews: 'disabled' } })
  try {
    const added = await storeLarge(other)
    expect(errorIn(await putPreview(other, added))).toMatchObject({ code: 'feature_disabled' })
    expect((await getPreview(other, stored)).status).toBe(200)
  } finally {
    await other.close()
  }
})

test('on the main domain, a preview is redirected to the download domain as a file is', async () => {
  const { directory, clock } = server
  const stored = await storeLarge(server)
  await putPreview(server, stored)
  const config = { svcDomain: 'https://svc.example', downloadDomain: 'https://files.example' }
  const other = await startTestServer({ directory, clock, config })
  try {
    const headers = { host: 'svc.example' }
    const moved = await getPreview(other, stored, { headers })
    expect([moved.status, moved.headers.location]).toEqual([302, `https://files.example${pathOf(stored)}`])
    const shown = await getPreview(other, stored, { headers: { host: 'files.example' } })
    expect([shown.status, shown.headers['access-control-allow-origin']]).toEqual([200, 'https://svc.example'])
  } finally {
    await other.close()
  }
})

test('a full disk of the database refuses previews', async () => {
  const stored = await storeLarge(server)
  const { directory, clock } = server
  const full = await startTestServer({ directory, clock, config: { minFreeSpace: 1e15 } })
  try {
    expect(errorIn(await putPreview(full, stored))).toEqual({ status: 507, code: 'no_space' })
  } finally {
    await full.close()
  }
})

test('a preview is not larger than its file, so that rows take no more space than the bytes that limits count', async () => {
  const stored = await storeUpload(server, 'x'.repeat(60))
  const refused = await putPreview(server, stored, webp(61))
  expect(errorIn(refused)).toEqual({ status: 400, code: 'preview_refused' })
  expect((await putPreview(server, stored, webp(60))).status).toBe(204)
  const empty = await storeUpload(server, '')
  expect((await putPreview(server, empty, webp())).status).toBe(400)
})
