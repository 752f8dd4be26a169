import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectNothingLeft } from '../../support/servers/nothing-left.ts'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { fileForm, formType, partHead } from '../../support/clients/forms.ts'
import { rawConnection, requestHead, type RawResponse } from '../../support/clients/raw-connection.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

const limit = 100_000

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ config: { maxFileSize: limit } })
})
afterAll(() => server.close())

const exact = new Uint8Array(limit).fill(97)
const excess = new Uint8Array(limit + 1).fill(97)
const rejected = { status: 413, code: 'file_too_big' }
const chunk = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
const lastChunk = '0\r\n\r\n'

/** A route for bytes into an upload that lives a minute, ready to be used once. */
interface Route {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyOf: (bytes: Uint8Array) => Buffer
  /** The head before the bytes. */
  readonly start: Buffer
}

const ofForm = {
  method: 'POST',
  bodyOf: (bytes: Uint8Array) => fileForm(bytes),
  start: Buffer.from(partHead({ fileName: 'f', content: '' })),
} as const

const routes: readonly (readonly [string, () => Promise<Route>])[] = [
  [
    'POST /file',
    async () => {
      const { id, uploadToken = '' } = await server.client.createUpload({ ttl: 60 })
      const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType }
      return { ...ofForm, path: `/file/${id}`, headers }
    },
  ],
  ['POST /', () => Promise.resolve({ ...ofForm, path: '/?ttl=60', headers: { 'content-type': formType } })],
  [
    'PUT /{name}',
    () => {
      const bodyOf = (bytes: Uint8Array) => Buffer.from(bytes)
      return Promise.resolve({
        method: 'PUT',
        path: '/f?ttl=60',
        headers: {},
        bodyOf,
        start: Buffer.alloc(0),
      })
    },
  ],
]

/** Routes with plain text responses name no code, so their message is compared. */
function errorOf({ status, body }: Pick<RawResponse, 'status' | 'body'>) {
  const text = body.toString()
  if (text.startsWith('{')) return errorIn({ status, headers: {}, body, text })
  return { status, code: text === 'file too big (limit is 100 kB)\n' ? 'file_too_big' : text }
}

/** Sends a request in chunks without a length, and reads its response. */
async function sendInChunks({ method, path, headers }: Route, chunks: Iterable<Uint8Array | string>) {
  const connection = await rawConnection(server.url)
  await connection.send(requestHead(method, path, { ...headers, 'transfer-encoding': 'chunked' }))
  const response = connection.response()
  for (const chunk of chunks) await connection.send(chunk)
  const received = await response
  connection.cut()
  return received
}

describe.each(routes)('%s', (_route, open) => {
  test('accepts a file of exactly the limit, with and without an announced length', async () => {
    const { method, path, headers, bodyOf } = await open()
    expect((await sendRequest(server.url, path, { method, headers, body: bodyOf(exact) })).status).toBe(200)
    const route = await open()
    expect((await sendInChunks(route, [chunk(route.bodyOf(exact)), lastChunk])).status).toBe(200)
    // Everything expires, so that the others may count on a server without files.
    server.clock.advance(60_000)
    await server.clean()
  })

  describe('leaves nothing behind as it', () => {
    afterEach(() => expectNothingLeft(server))

    test('rejects one byte more', async () => {
      const { method, path, headers, bodyOf } = await open()
      expect(errorOf(await sendRequest(server.url, path, { method, headers, body: bodyOf(excess) }))).toEqual(
        rejected,
      )
    })

    test('rejects one byte more without an announced length', async () => {
      const route = await open()
      const response = await sendInChunks(route, [chunk(route.bodyOf(excess)), lastChunk])
      expect(errorOf(response)).toEqual(rejected)
    })

    test('responds at the first excess byte, while the client still sends', async () => {
      const route = await open()
      expect(errorOf(await sendInChunks(route, [chunk(Buffer.concat([route.start, excess]))]))).toEqual(
        rejected,
      )
    })

    test('lets an endless sender read the error', async () => {
      const route = await open()
      const endless = Array<Buffer>(200).fill(chunk(exact))
      const first = chunk(Buffer.concat([route.start, exact]))
      expect(errorOf(await sendInChunks(route, [first, ...endless]))).toEqual(rejected)
    })

    test('rejects an announced length far above the limit before the bytes arrive', async () => {
      const { method, path, headers, start } = await open()
      const connection = await rawConnection(server.url)
      await connection.send(requestHead(method, path, { ...headers, 'content-length': 50_000_000_000 }))
      await connection.send(Buffer.concat([start, Buffer.from('the first bytes')]))
      expect(errorOf(await connection.response())).toEqual(rejected)
      connection.cut()
    })

    test('counts received bytes, for any announced length', async () => {
      const { method, path, headers, bodyOf } = await open()
      const body = bodyOf(excess)
      const connection = await rawConnection(server.url)
      await connection.send(requestHead(method, path, { ...headers, 'content-length': body.length + 1_000 }))
      await connection.send(body)
      expect(errorOf(await connection.response())).toEqual(rejected)
      connection.cut()
    })

    test('reads bytes beyond a smaller announced length as another request', async () => {
      const { method, path, headers, bodyOf } = await open()
      const body = bodyOf(exact)
      const connection = await rawConnection(server.url)
      const announced = body.length - 50_000
      await connection.send(requestHead(method, path, { ...headers, 'content-length': announced }))
      await connection.send(body)
      const all = (await connection.rest()).toString()
      // A truncated form is invalid; a raw body is a shorter file.
      expect(all).toMatch(method === 'PUT' ? /^HTTP\/1.1 200 / : /^HTTP\/1.1 400 /)
      expect(all).toMatch(/HTTP\/1.1 400 Bad Request[^]*$/)
      server.clock.advance(60_000)
      await server.clean()
    })

    test.each(['-1', '1e3', '0x10', '9007199254740993', '99999999999999999999999', 'NaN', '', '1, 2', '1 2'])(
      'rejects the length %j',
      async (length) => {
        const { method, path, headers } = await open()
        const connection = await rawConnection(server.url)
        await connection.send(
          `${requestHead(method, path, { ...headers, 'content-length': length })}0123456789`,
        )
        connection.socket.end()
        const status = /^HTTP\/1.1 (\d+)/.exec((await connection.rest()).toString())?.[1]
        expect(['400', '413']).toContain(status)
      },
    )

    test('rejects two lengths, and a length with chunks', async () => {
      const { method, path, headers } = await open()
      for (const second of ['content-length: 11', 'transfer-encoding: chunked']) {
        const connection = await rawConnection(server.url)
        const head = requestHead(method, path, { ...headers, 'content-length': 10 })
        await connection.send(head.replace(/\r\n\r\n$/, `\r\n${second}\r\n\r\n0123456789`))
        expect((await connection.response()).status).toBe(400)
        connection.cut()
      }
    })
  })
})
