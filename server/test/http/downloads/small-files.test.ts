import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorIn, sendRequest } from '../../support/clients/send-request.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let one: TestServer
let other: TestServer
beforeEach(async () => {
  one = await startTestServer()
  other = await startTestServer({ directory: one.directory, clock: one.clock })
})
afterEach(async () => {
  await other.close()
  await one.close()
})

/** A small file that another instance has in its memory. */
async function cachedElsewhere(options = {}) {
  const stored = await storeUpload(one, 'content', options)
  for (let download = 0; download < 2; download += 1)
    expect(await sendRequest(other.url, stored.path)).toMatchObject({ status: 200, text: 'content' })
  return stored
}

test.each([0, 1, 16 * 1024, 16 * 1024 + 1])(
  'all values of bytes arrive in a file of %d bytes',
  async (size) => {
    const content = Uint8Array.from({ length: size }, (_, index) => index % 256)
    const { path } = await storeUpload(one, content)
    for (const from of [one, other, other])
      expect((await sendRequest(from.url, path)).body.equals(content)).toBe(true)
  },
)

test('a range of a small file is the same from memory', async () => {
  const { path } = await cachedElsewhere()
  const headers = { range: 'bytes=2-4' }
  const response = await sendRequest(other.url, path, { headers })
  expect([response.status, response.text, response.headers['content-range']]).toEqual([
    206,
    'nte',
    'bytes 2-4/7',
  ])
})

test('an instance does not serve a file that another one has removed', async () => {
  const { path, upload, uploadToken } = await cachedElsewhere()
  await one.client.removeUpload(upload.id, { uploadToken })
  expect(errorIn(await sendRequest(other.url, path))).toEqual({ status: 404, code: 'upload_not_found' })
})

test('a file is not served past the expiry of its upload', async () => {
  const { path } = await cachedElsewhere({ ttl: 60 })
  one.clock.advance(60_000)
  expect((await sendRequest(other.url, path)).status).toBe(404)
})

test('a one-shot file is served once, however small it is', async () => {
  const { path } = await storeUpload(one, 'content', { oneShot: true })
  expect((await sendRequest(other.url, path)).status).toBe(200)
  expect((await sendRequest(other.url, path)).status).toBe(404)
})
