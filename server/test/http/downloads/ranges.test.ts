import { archivePath } from '@svc/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, errorIn, type TestResponse } from '../../support/clients/send-request.ts'
import { randomBytes, storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

const size = 1_000
const bytes = Buffer.from(randomBytes(size))

let server: TestServer
/** The resources that support ranges: a file and an archive, each with its whole body. */
const resources: Record<string, { readonly path: string; readonly whole: TestResponse }> = {}

beforeAll(async () => {
  server = await startTestServer()
  const { upload, uploadToken, path } = await storeUpload(server, bytes)
  await server.client.addFile(upload.id, new Blob(['']), { fileName: 'empty', uploadToken })
  await server.client.addFile(upload.id, new Blob([randomBytes(200_000)]), { fileName: 'größe', uploadToken })
  const archive = archivePath(upload.id, 'all.zip')
  resources['file'] = { path, whole: await sendRequest(server.url, path) }
  resources['archive'] = { path: archive, whole: await sendRequest(server.url, archive) }
})
afterAll(() => server.close())

const resource = (kind: string) => {
  const found = resources[kind]
  if (found === undefined) throw new Error(`nothing is called ${kind}`)
  return found
}
const get = (path: string, headers: Record<string, string>, method = 'GET') =>
  sendRequest(server.url, path, { headers, method })

describe.each(['file', 'archive'])('of a stored %s', (kind) => {
  test('any range equals that part of the whole', async () => {
    const { path, whole } = resource(kind)
    const total = whole.body.length
    const position = fc.oneof(
      fc.nat(total - 1),
      fc.nat(50),
      fc.nat(50).map((back) => Math.max(0, total - 1 - back)),
    )
    await fc.assert(
      fc.asyncProperty(position, position, async (one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)]
        const response = await get(path, { range: `bytes=${String(start)}-${String(end)}` })
        expect(response.status).toBe(206)
        expect(response.headers['content-range']).toBe(
          `bytes ${String(start)}-${String(end)}/${String(total)}`,
        )
        expect(response.headers['content-length']).toBe(String(end - start + 1))
        expect(response.body.equals(whole.body.subarray(start, end + 1))).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test.each<[string, (total: number) => [number, number] | number]>([
    ['bytes=0-', (total) => [0, total]],
    ['bytes=0-0', () => [0, 1]],
    ['bytes=-1', (total) => [total - 1, total]],
    ['bytes=-99999999', (total) => [0, total]],
    ['bytes=10-99999999', (total) => [10, total]],
    ['BYTES=1-2', () => [1, 3]],
    ['bytes=-0', () => 416],
    ['bytes=99999999-', () => 416],
    ['bytes=9007199254740993-', () => 416],
    ['bytes=0-1,5-6', () => 200],
    ['bytes=0-0, -1', () => 200],
    ['bytes=5-2', () => 200],
    ['bytes=a-b', () => 200],
    ['bytes=', () => 200],
    ['bytes', () => 200],
    ['lines=1-2', () => 200],
    ['bytes=1', () => 200],
    ['bytes=-', () => 200],
    ['bytes=1-2-3', () => 200],
  ])('Range: %s', async (range, expectation) => {
    const { path, whole } = resource(kind)
    const expected = expectation(whole.body.length)
    const response = await get(path, { range })
    if (typeof expected !== 'number') {
      expect([response.status, response.body.equals(whole.body.subarray(...expected))]).toEqual([206, true])
      return
    }
    expect(response.status).toBe(expected)
    if (expected === 200) expect(response.body.equals(whole.body)).toBe(true)
    else {
      expect(errorIn(response).code).toBe('range_not_satisfiable')
      expect(response.headers['content-range']).toBe(`bytes */${String(whole.body.length)}`)
    }
  })

  test('conditions decide in the order of RFC 9110', async () => {
    const { path, whole } = resource(kind)
    const etag = whole.headers.etag ?? ''
    const date = whole.headers['last-modified'] ?? ''
    const [past, future] = ['Wed, 31 Dec 2025 23:59:59 GMT', 'Fri, 02 Jan 2026 00:00:00 GMT']
    const range = 'bytes=1-3'
    // The date of an archive does not show which files were removed from it.
    const [same, part] = kind === 'file' ? [304, 206] : [200, 200]
    const cases: [Record<string, string>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `W/${etag}` }, 304],
      [{ 'if-none-match': `"x", ${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"x"' }, 200],
      [{ 'if-none-match': '"x"', 'if-modified-since': future }, 200],
      [{ 'if-modified-since': date }, same],
      [{ 'if-modified-since': future }, same],
      [{ 'if-modified-since': past }, 200],
      [{ 'if-modified-since': 'yesterday' }, 200],
      [{ range, 'if-none-match': etag }, 304],
      [{ range, 'if-range': etag }, 206],
      [{ range, 'if-range': `W/${etag}` }, 200],
      [{ range, 'if-range': '"x"' }, 200],
      [{ range, 'if-range': date }, part],
      [{ range, 'if-range': future }, 200],
      [{ range, 'if-range': 'nonsense' }, 200],
    ]
    for (const [headers, status] of cases) {
      const response = await get(path, headers)
      expect([headers, response.status]).toEqual([headers, status])
      const body = { 200: whole.body, 206: whole.body.subarray(1, 4), 304: Buffer.alloc(0) }[status]
      expect([headers, response.body.equals(body ?? Buffer.alloc(0))]).toEqual([headers, true])
    }
  })

  test('HEAD describes the whole and ignores ranges', async () => {
    const { path, whole } = resource(kind)
    const head = await get(path, { range: 'bytes=0-0' }, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      String(whole.body.length),
      0,
    ])
    expect((await get(path, { 'if-none-match': whole.headers.etag ?? '' }, 'HEAD')).status).toBe(304)
  })
})

test('an empty file has no satisfiable range, and is sent whole', async () => {
  const { path } = await storeUpload(server, '')
  expect((await get(path, { range: 'bytes=0-' })).status).toBe(200)
  expect((await get(path, { range: 'bytes=-5' })).status).toBe(200)
  expect((await get(path, { range: 'bytes=1-' })).status).toBe(416)
})

test('a range in the middle of a large file crosses the boundaries of read blocks', async () => {
  const big = Buffer.from(randomBytes(5_000_000))
  const { path } = await storeUpload(server, big)
  for (const [start, end] of [
    [524_287, 524_288],
    [1, 4_999_998],
    [1_048_575, 3_145_729],
  ] as const) {
    const { body } = await get(path, { range: `bytes=${String(start)}-${String(end)}` })
    expect(body.equals(big.subarray(start, end + 1))).toBe(true)
  }
})
