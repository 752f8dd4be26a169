import { createHash, randomBytes } from 'node:crypto'
import { request as send, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, jsonIn } from '../support/clients/send-request.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { maxFileSize: 10_000_000 } })
})
afterAll(() => server.close())

const bytes = randomBytes(700_000)
const md5 = createHash('md5').update(bytes).digest('hex')
const type = 'application/partial-upload'

async function begin() {
  const { id, uploadToken = '' } = await server.client.createUpload()
  const owner = { 'x-uploadtoken': uploadToken }
  const create = (headers: Record<string, string>, body?: Uint8Array) =>
    sendRequest(server.url, `/resumable/${id}?fileName=a.bin`, {
      method: 'POST',
      headers: { ...owner, ...headers },
      ...(body && { body }),
    })
  const at = (location: string | undefined) => {
    const path = new URL(location ?? '').pathname
    return {
      head: () => sendRequest(server.url, path, { method: 'HEAD', headers: owner }),
      append: (headers: Record<string, string>, body: Uint8Array = new Uint8Array()) =>
        sendRequest(server.url, path, {
          method: 'PATCH',
          headers: { ...owner, 'content-type': type, ...headers },
          body,
        }),
      cancel: () => sendRequest(server.url, path, { method: 'DELETE', headers: owner }),
    }
  }
  return { id, owner, create, at }
}

const progressIn = (headers: IncomingHttpHeaders) => [
  headers['upload-offset'],
  headers['upload-complete'],
  headers['upload-length'],
]

describe('resumable uploads of the IETF', () => {
  test('OPTIONS describes the limits to every client', async () => {
    const { id } = await begin()
    const { status, headers } = await sendRequest(server.url, `/resumable/${id}`, { method: 'OPTIONS' })
    expect([status, headers['accept-patch'], headers['upload-limit']]).toEqual([
      204,
      type,
      'max-size=10000000',
    ])
  })

  test('a whole file in one request gets the response of an ordinary upload', async () => {
    const { create } = await begin()
    const reply = await create({ 'upload-complete': '?1' }, bytes)
    expect(reply.status).toBe(200)
    expect(jsonIn(reply)).toMatchObject({ fileName: 'a.bin', md5, status: 'uploaded' })
    expect(progressIn(reply.headers)).toEqual(['700000', '?1', '700000'])
  })

  test('an empty file is finished at once', async () => {
    const { create } = await begin()
    const reply = await create({ 'upload-complete': '?1' })
    expect([reply.status, ...progressIn(reply.headers)]).toEqual([200, '0', '?1', '0'])
    expect(jsonIn(reply)).toMatchObject({ fileSize: 0, status: 'uploaded' })
  })

  test.each([
    ['an invalid digest', { 'content-digest': 'sha-256=abc' }, 'invalid_request'],
    ['more bytes than announced', { 'upload-length': '699999' }, 'size_mismatch'],
  ])('%s with the first part is rejected before a file exists', async (_, headers, code) => {
    const { id, owner, create } = await begin()
    const rejected = await create({ 'upload-complete': '?0', ...headers }, bytes)
    expect([rejected.status, rejected.headers['content-type'], jsonIn(rejected)]).toMatchObject([
      400,
      'application/problem+json',
      { code },
    ])
    expect(jsonIn(await sendRequest(server.url, `/upload/${id}`, { headers: owner }))).toMatchObject({
      files: [],
    })
  })

  test('parts follow one another until one declares the end', async () => {
    const { create, at } = await begin()
    const created = await create({ 'upload-complete': '?0' }, bytes.subarray(0, 100_000))
    expect([created.status, ...progressIn(created.headers)]).toEqual([201, '100000', '?0', undefined])
    const file = at(created.headers.location)
    const middle = await file.append(
      { 'upload-offset': '100000', 'upload-complete': '?0' },
      bytes.subarray(100_000, 500_000),
    )
    expect([middle.status, ...progressIn(middle.headers)]).toEqual([204, '500000', '?0', undefined])
    const state = await file.head()
    expect([state.status, state.headers['cache-control'], ...progressIn(state.headers)]).toEqual([
      204,
      'no-store',
      '500000',
      '?0',
      undefined,
    ])
    expect(state.headers['upload-limit']).toMatch(/^max-size=10000000, max-age=\d+$/)
    const last = await file.append(
      { 'upload-offset': '500000', 'upload-complete': '?1' },
      bytes.subarray(500_000),
    )
    expect([last.status, ...progressIn(last.headers)]).toEqual([200, '700000', '?1', '700000'])
    expect(jsonIn(last)).toMatchObject({ md5, fileSize: 700_000, status: 'uploaded' })
    expect(progressIn((await file.head()).headers)).toEqual(['700000', '?1', '700000'])
  })

  test('the name may be in Content-Disposition', async () => {
    const { id, owner } = await begin()
    const reply = await sendRequest(server.url, `/resumable/${id}`, {
      method: 'POST',
      headers: {
        ...owner,
        'upload-complete': '?1',
        'content-disposition': "inline; filename*=UTF-8''caf%C3%A9.txt",
      },
      body: 'x',
    })
    expect(jsonIn(reply)).toMatchObject({ fileName: 'café.txt' })
  })

  test('an empty last part completes a file of unknown length', async () => {
    const { create, at } = await begin()
    const file = at((await create({ 'upload-complete': '?0' }, bytes)).headers.location)
    const last = await file.append({ 'upload-offset': '700000', 'upload-complete': '?1' })
    expect([last.status, jsonIn(last)]).toMatchObject([200, { md5 }])
  })

  test('a part at the wrong offset is rejected with the right offset', async () => {
    const { create, at } = await begin()
    const file = at((await create({ 'upload-complete': '?0' }, bytes.subarray(0, 10))).headers.location)
    const rejected = await file.append({ 'upload-offset': '9', 'upload-complete': '?0' }, bytes)
    expect([rejected.status, rejected.headers['content-type'], rejected.headers['upload-offset']]).toEqual([
      409,
      'application/problem+json',
      '10',
    ])
    expect(jsonIn(rejected)).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#mismatching-upload-offset',
      'expected-offset': 10,
      'provided-offset': 9,
      code: 'offset_mismatch',
    })
  })

  test('a complete file accepts no further bytes', async () => {
    const { create, at } = await begin()
    const file = at((await create({ 'upload-complete': '?1' }, bytes)).headers.location)
    const rejected = await file.append({ 'upload-offset': '700000', 'upload-complete': '?1' }, bytes)
    expect([rejected.status, jsonIn(rejected)]).toMatchObject([
      409,
      { type: 'https://iana.org/assignments/http-problem-types#completed-upload' },
    ])
  })

  test('contradictory lengths are rejected', async () => {
    const { create, at } = await begin()
    const created = await create(
      { 'upload-complete': '?0', 'upload-length': '700000' },
      bytes.subarray(0, 10),
    )
    const rejected = await at(created.headers.location).append(
      { 'upload-offset': '10', 'upload-complete': '?1' },
      bytes.subarray(10, 20),
    )
    expect([rejected.status, jsonIn(rejected)]).toMatchObject([
      400,
      { type: 'https://iana.org/assignments/http-problem-types#inconsistent-upload-length' },
    ])
  })

  test('a part with a wrong digest does not count', async () => {
    const { create, at } = await begin()
    const file = at((await create({ 'upload-complete': '?0' })).headers.location)
    const digest = (content: Uint8Array) =>
      `sha-256=:${createHash('sha256').update(content).digest('base64')}:`
    const headers = { 'upload-offset': '0', 'upload-complete': '?1' }
    const wrong = await file.append({ ...headers, 'content-digest': digest(bytes.subarray(1)) }, bytes)
    expect([wrong.status, progressIn((await file.head()).headers)[0]]).toEqual([460, '0'])
    const right = await file.append({ ...headers, 'content-digest': digest(bytes) }, bytes)
    expect([right.status, jsonIn(right)]).toMatchObject([200, { md5 }])
  })

  test.each([
    { missing: 'Upload-Offset', headers: { 'upload-complete': '?0' }, status: 400 },
    { missing: 'Upload-Complete', headers: { 'upload-offset': '0' }, status: 400 },
    { missing: 'a number', headers: { 'upload-offset': '1.5', 'upload-complete': '?0' }, status: 400 },
    {
      missing: 'the media type',
      headers: { 'upload-offset': '0', 'upload-complete': '?0', 'content-type': 'text/plain' },
      status: 415,
    },
  ])('a part without $missing is rejected', async ({ headers, status }) => {
    const { create, at } = await begin()
    const file = at((await create({ 'upload-complete': '?0' })).headers.location)
    expect((await file.append(headers as unknown as Record<string, string>, bytes)).status).toBe(status)
  })

  test('a cancelled upload is removed', async () => {
    const { create, at } = await begin()
    const file = at((await create({ 'upload-complete': '?0' }, bytes)).headers.location)
    expect((await file.cancel()).status).toBe(204)
    const again = await file.cancel()
    expect(again.status).toBe(404)
    expect(again.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect((await file.head()).status).toBe(404)
  })

  test.each([
    ['a guest without a token', {}],
    ['the holder of the token of another upload', { 'x-uploadtoken': 'x'.repeat(32) }],
  ])('%s can neither create, see, append nor cancel', async (_, headers) => {
    const { id, create, at } = await begin()
    const { location = '' } = (await create({ 'upload-complete': '?0' }, bytes.subarray(0, 10))).headers
    const path = new URL(location).pathname
    const sent = { 'upload-offset': '10', 'upload-complete': '?1', 'content-type': type, ...headers }
    const requests = [
      sendRequest(server.url, `/resumable/${id}?fileName=b`, { method: 'POST', headers: sent, body: 'x' }),
      sendRequest(server.url, path, { method: 'HEAD', headers }),
      sendRequest(server.url, path, { method: 'PATCH', headers: sent, body: 'x' }),
      sendRequest(server.url, path, { method: 'DELETE', headers }),
    ]
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(progressIn((await at(location).head()).headers)).toEqual(['10', '?0', undefined])
    expect((await server.client.upload(id)).files).toHaveLength(1)
  })

  test('a file beyond the limit is rejected with the limit', async () => {
    const { create } = await begin()
    const rejected = await create({ 'upload-complete': '?0', 'upload-length': '10000001' })
    expect([rejected.status, jsonIn(rejected)]).toMatchObject([413, { code: 'file_too_big' }])
    expect(rejected.headers['upload-limit']).toBe('max-size=10000000')
  })
})

describe('interim responses', () => {
  const interim = async (headers: Record<string, string>) => {
    const { id, owner } = await begin()
    const seen: { readonly statusCode: number; readonly headers: IncomingHttpHeaders }[] = []
    const location = await new Promise((resolve, reject) => {
      const request = send(`${server.url}/resumable/${id}?fileName=a.bin`, {
        method: 'POST',
        headers: { ...owner, ...headers, 'upload-complete': '?1' },
        agent: false,
      })
      request.on('information', (information) => seen.push(information))
      request.on('response', (response) => {
        response.resume().on('end', () => {
          resolve(response.headers.location)
        })
      })
      request.on('error', reject)
      request.end(bytes)
    })
    return { seen, location }
  }

  test('announce the URL and the progress to clients that support them', async () => {
    const { seen, location } = await interim({ 'upload-draft-interop-version': '8' })
    expect(seen.map(({ statusCode }) => statusCode)).toEqual(seen.map(() => 104))
    expect(seen[0]?.headers).toMatchObject({ location, 'upload-draft-interop-version': '8' })
    expect(seen.at(-1)?.headers).toMatchObject({ 'upload-offset': '700000' })
  })

  test.each([{}, { 'upload-draft-interop-version': '7' }])(
    'are not sent to other clients (%o)',
    async (headers) => {
      expect((await interim(headers)).seen).toEqual([])
    },
  )
})
