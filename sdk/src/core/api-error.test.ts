import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import { createClient } from '../api/client.ts'

const { served, answering, close } = createServers()
afterEach(close)

describe('a refusal', () => {
  const refused = async (status: number, contentType: string, body: string) =>
    createClient({ baseURL: await answering(status, contentType, body) }).upload('u1')

  test('in JSON keeps its code, status and message', async () => {
    await expect(
      refused(404, 'application/json', '{"message":"upload u1 not found","code":"upload_not_found"}'),
    ).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
      code: 'upload_not_found',
      message: 'upload u1 not found',
    })
  })

  test('in JSON without a code is named by its status', async () => {
    await expect(refused(413, 'application/json', '{"message":"file too big"}')).rejects.toMatchObject({
      status: 413,
      code: 'http_413',
      message: 'file too big',
    })
  })

  test('in plain text becomes the message', async () => {
    await expect(refused(404, 'text/plain', 'upload u1 not found\n')).rejects.toMatchObject({
      status: 404,
      code: 'http_404',
      message: 'upload u1 not found',
    })
  })

  test('that is a page of a proxy becomes a sentence', async () => {
    await expect(refused(502, 'text/html', '<html><h1>502</h1></html>')).rejects.toMatchObject({
      status: 502,
      code: 'http_502',
      message: 'the proxy answered 502 Bad Gateway',
    })
  })

  test('without a body still says something', async () => {
    await expect(refused(503, 'text/plain', '')).rejects.toMatchObject({
      code: 'http_503',
      message: 'the server answered 503 Service Unavailable',
    })
  })

  test('of a plain text kilobyte long is cut', async () => {
    await expect(refused(400, 'text/plain', 'x'.repeat(2000))).rejects.toMatchObject({
      message: 'x'.repeat(500),
    })
  })
})

describe('trouble on the way', () => {
  test('a success that is a page is an invalid answer', async () => {
    const baseURL = await answering(200, 'text/html', '<h1>Welcome to the hotel</h1>')
    await expect(createClient({ baseURL }).configuration()).rejects.toMatchObject({
      status: 200,
      code: 'invalid_answer',
    })
  })

  test.each(['{"status":"ok"}', '<h1>Welcome to the hotel</h1>'])(
    'a file is not taken for sent when something answers with %s',
    async (answer) => {
      const client = createClient({ baseURL: await answering(200, 'text/html', answer) })
      const [source, file] = [new Blob(['hello']), { id: 'f', fileName: 'a.txt' }]
      const invalid = { status: 200, code: 'invalid_answer' }
      await expect(client.sendFile('u', source, file)).rejects.toMatchObject(invalid)
      await expect(client.sendStream('u', file, source, {})).rejects.toMatchObject(invalid)
      await expect(client.quickUpload(source, file)).rejects.toMatchObject(invalid)
    },
  )

  test.each(['{"id":1}', '[]', 'null', '"ok"', '{"id":"x"}'])(
    'the JSON of another service (%s) is an invalid answer',
    async (json) => {
      const client = createClient({ baseURL: await answering(200, 'application/json', json) })
      const invalid = { status: 200, code: 'invalid_answer' }
      await expect(client.createUpload()).rejects.toMatchObject(invalid)
      await expect(client.upload('x')).rejects.toMatchObject(invalid)
    },
  )

  test('a closed port is a network error', async () => {
    const baseURL = await served(() => undefined)
    await close()
    await expect(createClient({ baseURL }).health()).rejects.toMatchObject({ status: 0, code: 'network' })
  })

  test('a connection cut in the middle of an answer is a network error', async () => {
    const baseURL = await served((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"id":', () => response.destroy())
    })
    await expect(createClient({ baseURL }).upload('u1')).rejects.toMatchObject({ status: 0, code: 'network' })
  })

  test('a connection cut in the middle of an upload is a network error', async () => {
    const baseURL = await served((request) => {
      request.once('data', () => request.destroy())
    })
    const source = new Blob([randomBytes(4_000_000)])
    await expect(
      createClient({ baseURL }).addFile('u1', source, { fileName: 'a.bin' }),
    ).rejects.toMatchObject({
      status: 0,
      code: 'network',
    })
  })

  test('a source that fails is thrown as it is', async () => {
    const baseURL = await served((request) => void request.resume())
    const broken = new Error('disk on fire')
    const chunks = (async function* () {
      yield new Uint8Array(10)
      await Promise.resolve()
      throw broken
    })()
    await expect(createClient({ baseURL }).addFile('u1', { chunks }, { fileName: 'a.bin' })).rejects.toBe(
      broken,
    )
  })
})
