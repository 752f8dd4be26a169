import { filePath } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, jsonIn, errorIn } from '../support/clients/send-request.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { until } from '../support/until.ts'
import {
  becomes,
  declareStream,
  expectToWork,
  openDownload,
  openSender,
  partEnd,
  partStart,
  sendWhole,
  asResponse,
} from './streams.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('a sender and a recipient', () => {
  test('are connected: every byte passes, and nothing is stored', async () => {
    const bytes = randomBytes(3_000_000)
    const declared = await declareStream(server)
    const sent = sendWhole(server.url, declared, bytes)
    await becomes(server, declared, 'uploading')
    const got = await sendRequest(server.url, declared.path)
    expect([got.status, got.body.equals(bytes)]).toEqual([200, true])
    const response = await sent
    expect(response.status).toBe(200)
    expect(jsonIn(response)).toEqual({
      id: declared.file.id,
      fileName: 'file.bin',
      fileSize: bytes.length,
      type: 'application/octet-stream',
      md5: '',
      status: 'removed',
      usedUp: true,
    })
    expect((await server.client.upload(declared.upload.id)).files).toMatchObject([
      { status: 'removed', usedUp: true },
    ])
    expect(errorIn(await sendRequest(server.url, declared.path))).toEqual({
      status: 404,
      code: 'file_not_found',
    })
  })

  test('are not connected when the download comes first: it is not found', async () => {
    const declared = await declareStream(server)
    expect(errorIn(await sendRequest(server.url, declared.path))).toEqual({
      status: 404,
      code: 'file_not_found',
    })
    await expectToWork(server, declared)
  })

  test('may use the URLs of stored files', async () => {
    const declared = await declareStream(server)
    const path = filePath(declared.upload.id, declared.file.id, 'file.bin')
    const sent = sendWhole(server.url, { ...declared, path }, 'content')
    await becomes(server, declared, 'uploading')
    expect((await sendRequest(server.url, path)).text).toBe('content')
    expect((await sent).status).toBe(200)
  })

  test.each(['', 'x'])('are connected for %j', async (content) => {
    const declared = await declareStream(server)
    await expectToWork(server, declared, { content })
  })

  test('are connected for a file in folders', async () => {
    const declared = await declareStream(server, { fileName: 'a b/c#d' })
    await expectToWork(server, declared)
  })
})

describe('of parallel clients', () => {
  test('one recipient gets every byte, and the others get an error about the download', async () => {
    const bytes = randomBytes(1_000_000)
    for (let round = 0; round < 10; round++) {
      const declared = await declareStream(server)
      const sent = sendWhole(server.url, declared, bytes)
      await becomes(server, declared, 'uploading')
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => sendRequest(server.url, declared.path)),
      )
      const [served, ...more] = responses.filter(({ status }) => status === 200)
      expect([served?.body.equals(bytes), more]).toEqual([true, []])
      const others = responses
        .filter(({ status }) => status !== 200)
        .map((response) => errorIn(response).code)
      expect(['download_in_progress', 'file_not_found']).toEqual(expect.arrayContaining(others))
      expect((await sent).status).toBe(200)
    }
  })

  test('one sender waits, and the others get an error about the sender', async () => {
    const declared = await declareStream(server)
    const sending = Array.from({ length: 10 }, (_, index) => sendWhole(server.url, declared, String(index)))
    await becomes(server, declared, 'uploading')
    const rejected: unknown[] = []
    for (const pending of sending)
      void pending.then((response) => response.status !== 200 && rejected.push(errorIn(response)))
    await until('nine are refused', () => rejected.length === 9)
    const got = await sendRequest(server.url, declared.path)
    const [sent] = (await Promise.all(sending)).filter(({ status }) => status === 200)
    expect(jsonIn(sent ?? got)).toMatchObject({ fileSize: 1, status: 'removed' })
    expect(rejected).toEqual(rejected.map(() => ({ status: 409, code: 'file_not_missing' })))
  })
})

describe('the head of the download', () => {
  test('has a declared size as its length; ranges and validators are ignored', async () => {
    const declared = await declareStream(server, { fileName: 'note.txt', fileSize: 7 })
    const sent = sendWhole(server.url, declared, 'content')
    await becomes(server, declared, 'uploading')
    const head = await sendRequest(server.url, declared.path, { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.headers['accept-ranges']]).toEqual([
      200,
      '7',
      'none',
    ])
    const got = await sendRequest(server.url, declared.path, {
      headers: { range: 'bytes=1-2', 'if-none-match': '*' },
    })
    expect([got.status, got.text]).toEqual([200, 'content'])
    expect(got.headers).toMatchObject({
      'content-length': '7',
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'inline; filename=note.txt',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-site',
    })
    expect(got.headers['content-security-policy']).toContain('sandbox')
    expect([got.headers.etag, got.headers['last-modified']]).toEqual([undefined, undefined])
    expect((await sent).status).toBe(200)
  })

  test('has no length for an undeclared size', async () => {
    const declared = await declareStream(server)
    const sent = sendWhole(server.url, declared, '<html><script>alert(1)</script>')
    await becomes(server, declared, 'uploading')
    const got = await sendRequest(server.url, `${declared.path}?dl=1`)
    expect(got.headers).toMatchObject({
      'transfer-encoding': 'chunked',
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=file.bin',
    })
    expect(got.headers['content-length']).toBeUndefined()
    expect((await sent).status).toBe(200)
  })

  test('arrives without delay for a live source that sends little at first', async () => {
    const declared = await declareStream(server)
    const sender = await openSender(server.url, declared, { size: 100_000 })
    const line = 'the first line, long enough to differ from encrypted bytes\n'
    await sender.send(partStart + line)
    await becomes(server, declared, 'uploading')
    const download = await openDownload(server.url, declared.path)
    await until('the head is there', () => {
      server.clock.advance(500)
      return download.socket.readableLength > 0
    })
    const { headers } = await download.head()
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect((await download.take(4)).toString('latin1')).toBe(`${line.length.toString(16)}\r\n`)
    expect((await download.take(14)).toString()).toBe('the first line')
    download.cut()
    expect(errorIn(asResponse(await sender.response()))).toEqual({ status: 502, code: 'stream_broken' })
    await becomes(server, declared, 'missing')
  })

  test.each([
    ['a line', 'hi\n'],
    ['a line that ends within a character', Buffer.from('naïve').subarray(0, 3)],
  ])('arrives without delay when all that has come is %s', async (_what, first) => {
    const declared = await declareStream(server)
    const sender = await openSender(server.url, declared, { size: 100_000 })
    await sender.send(partStart)
    await sender.send(first)
    await becomes(server, declared, 'uploading')
    const download = await openDownload(server.url, declared.path)
    await until('the head is there', () => {
      server.clock.advance(500)
      return download.socket.readableLength > 0
    })
    expect((await download.head()).headers['content-type']).toBe('text/plain; charset=utf-8')
    expect((await download.take(3)).toString('latin1')).toBe('3\r\n')
    expect((await download.take(3)).equals(Buffer.from(first))).toBe(true)
    download.cut()
    await sender.response()
    await becomes(server, declared, 'missing')
  })

  test('of encrypted bytes waits for as many as show that they are encrypted', async () => {
    const declared = await declareStream(server, { e2ee: 'age' })
    const begin = 'age-encryption.org/v1\n'
    const sender = await openSender(server.url, declared, { size: begin.length })
    await sender.send(partStart + begin.slice(0, 6))
    await becomes(server, declared, 'uploading')
    const download = await openDownload(server.url, declared.path)
    await until('the recipient has connected', async () => {
      server.clock.advance(500)
      const { upload, token } = declared
      return (await server.client.upload(upload.id, { uploadToken: token })).files[0]?.offset === 0
    })
    server.clock.advance(500)
    await sender.send(begin.slice(6) + partEnd)
    const { status, headers } = await download.head()
    expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream'])
    expect((await sender.response()).status).toBe(200)
  })
})
