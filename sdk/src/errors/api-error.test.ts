import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import { createClient } from '../api/client.ts'

const { served, respondingWith, close } = createServers()
afterEach(close)

describe('an error response', () => {
  const errorResponse = async (status: number, contentType: string, body: string) =>
    createClient({ baseURL: await respondingWith(status, contentType, body) }).upload('u1')

  test('in JSON keeps its code, status and message', async () => {
    await expect(
      errorResponse(404, 'application/json', '{"message":"upload u1 not found","code":"upload_not_found"}'),
    ).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
      code: 'upload_not_found',
      message: 'upload u1 not found',
    })
  })

  test('in JSON without a code gets a code from its status', async () => {
    await expect(errorResponse(413, 'application/json', '{"message":"file too big"}')).rejects.toMatchObject({
      status: 413,
      code: 'http_413',
      message: 'file too big',
    })
  })

  test('in plain text becomes the message', async () => {
    await expect(errorResponse(404, 'text/plain', 'upload u1 not found\n')).rejects.toMatchObject({
      status: 404,
      code: 'http_404',
      message: 'upload u1 not found',
    })
  })

  test('that is a proxy page becomes a sentence', async () => {
    await expect(errorResponse(502, 'text/html', '<html><h1>502</h1></html>')).rejects.toMatchObject({
      status: 502,
      code: 'http_502',
      message: 'the server or a proxy responded with 502 Bad Gateway',
    })
  })

  test('without a body has a message', async () => {
    await expect(errorResponse(503, 'text/plain', '')).rejects.toMatchObject({
      code: 'http_503',
      message: 'the server responded with 503 Service Unavailable',
    })
  })

  test('of a kilobyte of plain text is truncated', async () => {
    await expect(errorResponse(400, 'text/plain', 'x'.repeat(2000))).rejects.toMatchObject({
      message: 'x'.repeat(500),
    })
  })
})

describe('a failed request', () => {
  test('with an HTML page as success is an invalid response', async () => {
    const baseURL = await respondingWith(200, 'text/html', '<h1>Welcome to the hotel</h1>')
    await expect(createClient({ baseURL }).configuration()).rejects.toMatchObject({
      status: 200,
      code: 'invalid_response',
    })
  })

  test.each(['{"status":"ok"}', '<h1>Welcome to the hotel</h1>'])(
    'does not count a file as sent when the response is %s',
    async (body) => {
      const client = createClient({ baseURL: await respondingWith(200, 'text/html', body) })
      const [source, file] = [new Blob(['hello']), { id: 'f', fileName: 'a.txt' }]
      const invalid = { status: 200, code: 'invalid_response' }
      await expect(client.sendFile('u', source, file)).rejects.toMatchObject(invalid)
      await expect(client.sendStream('u', file, source, {})).rejects.toMatchObject(invalid)
      await expect(client.quickUpload(source, file)).rejects.toMatchObject(invalid)
    },
  )

  test.each(['{"id":1}', '[]', 'null', '"ok"', '{"id":"x"}'])(
    'with the JSON of another service (%s) is an invalid response',
    async (json) => {
      const client = createClient({ baseURL: await respondingWith(200, 'application/json', json) })
      const invalid = { status: 200, code: 'invalid_response' }
      await expect(client.createUpload()).rejects.toMatchObject(invalid)
      await expect(client.upload('x')).rejects.toMatchObject(invalid)
    },
  )

  test('to a closed port is a network error', async () => {
    const baseURL = await served(() => undefined)
    await close()
    await expect(createClient({ baseURL }).health()).rejects.toMatchObject({ status: 0, code: 'network' })
  })

  test('cut in the middle of a response is a network error', async () => {
    const baseURL = await served((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"id":', () => response.destroy())
    })
    await expect(createClient({ baseURL }).upload('u1')).rejects.toMatchObject({ status: 0, code: 'network' })
  })

  test('cut in the middle of an upload is a network error', async () => {
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

  test('from a source that fails throws the error of the source', async () => {
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
