import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectNothingLeft } from '../../support/servers/nothing-left.ts'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { fileStatuses, storedFiles } from '../../support/servers/server-data.ts'
import { randomBytes, storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { maxFilePerUpload: 1 } })
})
afterAll(() => server.close())

test('one connection serves errors and successes one after the other', async () => {
  const { path } = await storeUpload(server, 'reused')
  const connection = await rawConnection(server.url)
  const requests: [string, number][] = [
    ['/upload/unknown', 404],
    ['/nowhere', 404],
    ['/upload/%zz', 400],
    [path.replace('file.txt', 'other'), 404],
    ['/archive/x/no-zip', 404],
    [path, 200],
    ['/config', 200],
  ]
  for (const [target, status] of requests) {
    await connection.send(requestHead('GET', target))
    const response = await connection.response()
    expect([target, response.status]).toEqual([target, status])
  }
  await connection.send(requestHead('HEAD', path))
  expect((await connection.response('HEAD')).headers['content-length']).toBe('6')
  await connection.send(requestHead('GET', path, { range: 'bytes=1-2' }))
  expect((await connection.response()).body.toString()).toBe('eu')
  await connection.send(requestHead('GET', path, { range: 'bytes=99-' }))
  expect((await connection.response()).status).toBe(416)
  await connection.send(requestHead('GET', path))
  expect((await connection.response()).body.toString()).toBe('reused')
  connection.cut()
})

test('pipelined requests get their responses in order', async () => {
  const stored = await Promise.all(['one', 'two', 'three'].map((content) => storeUpload(server, content)))
  const connection = await rawConnection(server.url)
  await connection.send(stored.map(({ path }) => requestHead('GET', path)).join(''))
  const bodies = [await connection.response(), await connection.response(), await connection.response()]
  expect(bodies.map(({ body }) => body.toString())).toEqual(['one', 'two', 'three'])
  connection.cut()
})

test('a form and the download of another file are pipelined over one connection', async () => {
  const { path } = await storeUpload(server, 'pipelined')
  const { id, uploadToken = '' } = await server.client.createUpload()
  const body = fileForm('sent')
  const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType, 'content-length': body.length }
  const connection = await rawConnection(server.url)
  const first = requestHead('POST', `/file/${id}`, headers)
  await connection.send(Buffer.concat([Buffer.from(first), body, Buffer.from(requestHead('GET', path))]))
  expect((await connection.response()).status).toBe(200)
  expect((await connection.response()).body.toString()).toBe('pipelined')
  connection.cut()
})

test('many slow readers get every byte, and other clients are served meanwhile', async () => {
  const bytes = randomBytes(20 * mebibyte)
  const { path } = await storeUpload(server, bytes)
  const slow = await Promise.all(Array.from({ length: 40 }, () => rawConnection(server.url)))
  await Promise.all(slow.map((connection) => connection.send(requestHead('GET', path))))
  await Promise.all(slow.map((connection) => connection.head()))
  await Promise.all(slow.map((connection) => connection.take(1)))
  const { status, body } = await sendRequest(server.url, path)
  expect([status, body.equals(bytes)]).toEqual([200, true])
  for (const connection of slow) {
    const rest = await connection.take(bytes.length - 1)
    expect(rest.equals(bytes.subarray(1))).toBe(true)
    connection.cut()
  }
})

test('a recipient that disconnects stops its download and nothing else', async () => {
  const { path } = await storeUpload(server, randomBytes(20 * mebibyte))
  for (let round = 0; round < 30; round++) {
    const connection = await rawConnection(server.url)
    await connection.send(requestHead('GET', path))
    await connection.take(1 + round * 10_000)
    if (round % 2 === 0) connection.cut()
    else connection.socket.destroy()
  }
  expect((await sendRequest(server.url, path)).status).toBe(200)
  expect((await sendRequest(server.url, path, { method: 'HEAD' })).status).toBe(200)
})

describe('a sender that disconnects in the middle of a file', () => {
  test.each(['reset', 'closed'] as const)(
    '(%s): the file is removed, then deleted; its entry is released',
    async (how) => {
      const fresh = await startTestServer({ config: { maxFilePerUpload: 1 } })
      try {
        const { id, uploadToken = '' } = await fresh.client.createUpload()
        const body = fileForm(randomBytes(5_000_000))
        const headers = {
          'x-uploadtoken': uploadToken,
          'content-type': formType,
          'content-length': body.length,
        }
        const connection = await rawConnection(fresh.url)
        await connection.send(requestHead('POST', `/file/${id}`, headers))
        await connection.send(body.subarray(0, 3_000_000))
        await until('the file is arriving', () => fileStatuses(fresh)[0] === 'uploading')
        const arriving = await fresh.client.upload(id)
        const path = `/file/${id}/${arriving.files[0]?.id ?? ''}/file.txt`
        expect(errorIn(await sendRequest(fresh.url, path))).toEqual({ status: 404, code: 'file_not_found' })
        const full = { method: 'POST', headers, body }
        expect(errorIn(await sendRequest(fresh.url, `/file/${id}`, full))).toEqual({
          status: 400,
          code: 'too_many_files',
        })

        if (how === 'reset') connection.cut()
        else connection.socket.destroy()
        await until(
          'the file is removed',
          async () => (await fresh.client.upload(id)).files[0]?.status === 'removed',
        )
        expect(errorIn(await sendRequest(fresh.url, path))).toEqual({ status: 404, code: 'file_not_found' })
        // A cleanup skips a file while its reception has not ended.
        await until('the file is deleted', async () => {
          await fresh.clean()
          return (await fresh.client.upload(id)).files[0]?.status === 'deleted'
        })
        expect(storedFiles(fresh)).toEqual([])
        expect((await sendRequest(fresh.url, `/file/${id}`, full)).status).toBe(200)
      } finally {
        await fresh.close()
      }
    },
  )

  test('a raw body: no upload remains', async () => {
    const fresh = await startTestServer()
    try {
      const connection = await rawConnection(fresh.url)
      await connection.send(requestHead('PUT', '/name', { 'content-length': 5_000_000 }))
      await connection.send(randomBytes(3_000_000))
      await until('the file is arriving', () => fileStatuses(fresh)[0] === 'uploading')
      connection.cut()
      await expectNothingLeft(fresh)
    } finally {
      await fresh.close()
    }
  })
})

describe('malformed HTTP', () => {
  test.each<[string, string]>([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET /config HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a space before the colon', 'GET /config HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n'],
    ['a NUL in a header', 'GET /config HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
    ['a folded header', 'GET /config HTTP/1.1\r\nHost: x\r\nA: b\r\n  c\r\n\r\n'],
    ['bad chunks', 'PUT /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    [
      'a chunk size beyond the integers',
      `PUT /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n`,
    ],
    ['a space in the address', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s is rejected with our error format, and the server continues', async (_case, bytes) => {
    const connection = await rawConnection(server.url)
    await connection.send(Buffer.from(bytes, 'latin1'))
    connection.socket.end()
    const { status, headers, body } = await connection.response()
    expect([status, headers['content-type']]).toEqual([400, 'application/json; charset=utf-8'])
    expect(JSON.parse(body.toString())).toEqual({
      code: expect.stringMatching(/^[a-z_]+$/) as string,
      message: expect.stringMatching(/./) as string,
    })
    expect((await sendRequest(server.url, '/health')).text).toBe('ok')
  })

  test.each<[string, string, number, string]>([
    [
      'an unknown transfer coding',
      'POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n',
      415,
      'unsupported_media_type',
    ],
    [
      'a second transfer coding',
      'POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      415,
      'unsupported_media_type',
    ],
    ['a tunnel', 'CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n', 405, 'method_not_allowed'],
  ])('%s is refused with a code, and the connection closes', async (_what, bytes, status, code) => {
    const connection = await rawConnection(server.url)
    await connection.send(bytes)
    const response = await connection.response()
    expect([response.status, JSON.parse(response.body.toString())]).toEqual([
      status,
      { code, message: expect.stringMatching(/./) as string },
    ])
    expect(await connection.rest()).toEqual(Buffer.alloc(0))
  })

  test.each<[string, string]>([
    ['cookies', `GET /config HTTP/1.1\r\nHost: x\r\nCookie: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['an address', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('a head that is too long for its %s has a specific error', async (_case, bytes) => {
    const connection = await rawConnection(server.url)
    await connection.send(bytes)
    const { status, body } = await connection.response()
    expect([status, JSON.parse(body.toString())]).toEqual([
      431,
      {
        code: 'headers_too_big',
        message: 'the address and the headers, cookies among them, are too big (limit is 32 KiB)',
      },
    ])
  })

  test.each<[string, number]>([
    ['at once', 1_000],
    ['before it is read completely', 8_000_000],
  ])('invalid chunks after a download neither affect nor enter it: %s', async (_when, size) => {
    const content = randomBytes(size)
    const { path } = await storeUpload(server, content)
    const connection = await rawConnection(server.url)
    const garbage = 'PUT /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
    await connection.send(`${requestHead('GET', path, {})}${garbage}`)
    const { status, body } = await connection.response()
    expect([status, Buffer.compare(body, content)]).toEqual([200, 0])
    expect((await connection.response()).status).toBe(400)
    expect(await connection.rest()).toEqual(Buffer.alloc(0))
  })

  test.each(['PATCH', 'TRACE', 'PROPFIND', 'DELETE', 'POST', 'OPTIONS'])(
    '%s on a route that has none is 404 with a code',
    async (method) => {
      const response = await sendRequest(server.url, '/config', { method })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      expect(response.headers['content-type']).toContain('application/json')
    },
  )

  test.each([
    '/upload/%',
    '/upload/%zz',
    '/file/a/b/%e4',
    '/file/%c3%28/b/c',
    '/archive/a/%ff.zip',
    '/%c0%af',
  ])('an address that cannot be decoded (%s) is 400', async (path) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status } = await sendRequest(server.url, path, { method })
      expect([400, 404]).toContain(status)
    }
    expect((await sendRequest(server.url, path)).status).toBe(400)
  })

  test.each(['//config', '/./config', '/x/../config', '/x/%2e%2e/config'])(
    'an address that is not normalized (%s) has a specific error',
    async (path) => {
      const { status, text } = await sendRequest(server.url, path)
      expect([status, JSON.parse(text)]).toEqual([
        400,
        { code: 'invalid_request', message: 'the address is malformed' },
      ])
    },
  )
})
