import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Upload } from '@svc/contract'
import { sendRequest, jsonIn, errorIn } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import {
  begin,
  create,
  expectWhole,
  head,
  readListedFile,
  newTarget,
  beginPart,
  patch,
  tus,
  newFile,
} from './tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const notFound = { status: 404, code: 'file_not_found' }

test('a file is not found under another upload, and is not affected', async () => {
  const bytes = randomBytes(1_000)
  const mine = await newFile(server, { size: bytes.length })
  const other = await newTarget(server)
  const connection = await beginPart(server, mine, 0, bytes.length)
  await connection.send(bytes.subarray(0, 500))

  const foreign = { ...mine, target: other, path: `/tus/${other.id}/${mine.id}` }
  expect((await head(server, foreign)).status).toBe(404)
  expect(errorIn(await patch(server, foreign, 0, bytes))).toEqual(notFound)
  expect(errorIn(await tus(server, other, 'DELETE', { path: foreign.path }))).toEqual(notFound)

  await connection.send(bytes.subarray(500))
  expect((await connection.response()).status).toBe(204)
  await expectWhole(server, mine, bytes)
  expect(errorIn(await tus(server, other, 'DELETE', { path: foreign.path }))).toEqual(notFound)
  await expectWhole(server, mine, bytes)
})

test('a removed file is not found by any method, at once', async () => {
  const file = await newFile(server, { size: 10 })
  expect((await tus(server, file.target, 'DELETE', { path: file.path })).status).toBe(204)
  expect((await head(server, file)).status).toBe(404)
  expect(errorIn(await patch(server, file, 0, new Uint8Array(10)))).toEqual(notFound)
  expect(errorIn(await tus(server, file.target, 'DELETE', { path: file.path }))).toEqual(notFound)
})

test('a file that never existed is not found by any method', async () => {
  const target = await newTarget(server)
  for (const id of ['aaaaaaaaaaaaaaaa', 'x', '..%2f..']) {
    const none = { target, id, path: `/tus/${target.id}/${id}` }
    expect((await head(server, none)).status).toBe(404)
    expect(errorIn(await patch(server, none, 0, new Uint8Array(1)))).toEqual(notFound)
    expect(errorIn(await tus(server, target, 'DELETE', { path: none.path }))).toEqual(notFound)
  }
})

test('a finished file accepts no further bytes, and keeps its content', async () => {
  const bytes = randomBytes(1_000)
  const file = await newFile(server, { size: bytes.length, body: bytes })
  for (const offset of [0, 500, 1_000])
    expect(errorIn(await patch(server, file, offset, new Uint8Array(1)))).toEqual({
      status: 409,
      code: 'file_not_missing',
    })
  await expectWhole(server, file, bytes)
})

/** Every reason to reject a request, and the response. */
const without: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
  ['no token', {}, 403],
  ['a wrong token', { 'x-uploadtoken': 'x'.repeat(32) }, 403],
]

test.each(without)(
  'with %s every request is rejected, and nothing changes',
  async (_case, headers, status) => {
    const bytes = randomBytes(100)
    const target = await newTarget(server)
    const unfinished = await begin(server, target, { size: 100 })
    expect((await patch(server, unfinished, 0, bytes.subarray(0, 50))).status).toBe(204)
    const finished = await begin(server, target, { size: 100, body: bytes })
    const otherClient = { id: target.id, headers }
    for (const file of [unfinished, finished]) {
      const foreign = { ...file, target: otherClient }
      expect((await head(server, foreign)).status).toBe(status)
      expect((await patch(server, foreign, 50, bytes.subarray(50))).status).toBe(status)
      expect((await tus(server, otherClient, 'DELETE', { path: file.path })).status).toBe(status)
      for (const method of ['HEAD', 'PATCH', 'DELETE']) {
        const override = { 'x-http-method-override': method, 'upload-offset': '50' }
        const options = { path: file.path, headers: override }
        expect((await tus(server, otherClient, 'POST', options)).status).toBe(status)
      }
    }
    expect((await tus(server, otherClient, 'POST', { headers: { 'upload-length': 5 } })).status).toBe(status)
    expect(await readListedFile(server, unfinished)).toMatchObject({ status: 'uploading', offset: 50 })
    await expectWhole(server, finished, bytes)
    expect((await patch(server, unfinished, 50, bytes.subarray(50))).status).toBe(204)
    await expectWhole(server, unfinished, bytes)
  },
)

test('only the holder of the token sees the offset', async () => {
  const target = await newTarget(server)
  const file = await begin(server, target, { size: 100 })
  await patch(server, file, 0, new Uint8Array(40))
  expect(await readListedFile(server, file)).toMatchObject({ offset: 40, fileSize: 100, status: 'uploading' })
  const seen = await readListedFile(server, { ...file, target: { id: target.id, headers: {} } })
  expect(seen).not.toHaveProperty('offset')
})

test('a file that was removed by the other protocol is not found, at once', async () => {
  const file = await newFile(server, { size: 10 })
  const path = `/file/${file.target.id}/${file.id}/file.bin`
  expect(
    (await sendRequest(server.url, path, { method: 'DELETE', headers: file.target.headers })).status,
  ).toBe(200)
  expect((await head(server, file)).status).toBe(404)
  expect(errorIn(await patch(server, file, 0, new Uint8Array(10)))).toEqual(notFound)
  expect(errorIn(await tus(server, file.target, 'DELETE', { path: file.path }))).toEqual(notFound)
})

test('a guest at an address that may not upload can neither begin nor continue, by either protocol', async () => {
  const guarded = await startTestServer({
    config: { uploadWhitelist: ['192.0.2.0/24'], trustedProxies: ['127.0.0.1/32'] },
  })
  try {
    const allowed = { 'x-forwarded-for': '192.0.2.1' }
    const created = await sendRequest(guarded.url, '/upload', { method: 'POST', headers: allowed })
    const { id, uploadToken = '' } = jsonIn(created) as Upload
    const inside = { id, headers: { ...allowed, 'x-uploadtoken': uploadToken } }
    const outside = { id, headers: { 'x-uploadtoken': uploadToken } }
    const bytes = randomBytes(1_000)
    const file = await begin(guarded, inside, { size: bytes.length })
    const elsewhere = { ...file, target: outside }
    const rejected = { status: 403, code: 'address_refused' }

    expect(errorIn(await create(guarded, outside, { size: 10 }))).toEqual(rejected)
    expect(errorIn(await patch(guarded, elsewhere, 0, bytes))).toEqual(rejected)
    expect(errorIn(await tus(guarded, outside, 'DELETE', { path: file.path }))).toEqual(rejected)
    const part = { headers: { ...outside.headers, 'upload-complete': '?1' }, body: 'x' }
    const drafts = [
      sendRequest(guarded.url, `/resumable/${id}?fileName=x`, { method: 'POST', ...part }),
      sendRequest(guarded.url, `/resumable/${id}/${file.id}`, { method: 'DELETE', ...part }),
    ]
    for (const response of await Promise.all(drafts)) expect(errorIn(response)).toEqual(rejected)

    expect((await patch(guarded, file, 0, bytes)).status).toBe(204)
    await expectWhole(guarded, file, bytes)
  } finally {
    await guarded.close()
  }
})
