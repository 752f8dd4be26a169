import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import { createClient } from './client.ts'
import type { Progress } from '../source/source.ts'

const { served, respondingWith, close } = createServers()
afterEach(close)

const file = { id: 'f1', fileName: 'a.bin' }

describe('an upload', () => {
  interface Received {
    readonly headers: IncomingMessage['headers']
    readonly url: string | undefined
    readonly body: Buffer
  }

  async function receiving(): Promise<{ readonly baseURL: string; readonly received: Received[] }> {
    const received: Received[] = []
    const baseURL = await served((request, response) => {
      void buffer(request).then((body) => {
        received.push({ headers: request.headers, url: request.url, body })
        response.setHeader('x-uploadid', 'u9').setHeader('x-uploadtoken', 't9')
        response.end(JSON.stringify({ id: 'f1' }))
      })
    })
    return { baseURL, received }
  }

  const parsed = async ({ headers, body }: Received) => {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData()
    const sent = form.get('file')
    if (!(sent instanceof File)) throw new Error('no file in the form')
    return { name: sent.name, bytes: Buffer.from(await sent.arrayBuffer()) }
  }

  test('of known size has an exact length and arrives unchanged', async () => {
    const { baseURL, received } = await receiving()
    const bytes = randomBytes(300_000)
    const client = createClient({ baseURL, headers: { 'x-svctoken': 'user' }, clientApp: 'test' })
    const response = await client.addFile('u1', new Blob([bytes]), {
      fileName: 'café "1".bin',
      uploadToken: 'secret',
    })
    expect(response).toMatchObject({ id: 'f1' })
    const [first] = received
    if (!first) throw new Error('nothing received')
    expect({
      url: first.url,
      length: first.headers['content-length'],
      coding: first.headers['transfer-encoding'],
      uploadToken: first.headers['x-uploadtoken'],
      userToken: first.headers['x-svctoken'],
      clientApp: first.headers['x-clientapp'],
    }).toEqual({
      url: '/file/u1',
      length: String(first.body.length),
      coding: undefined,
      uploadToken: 'secret',
      userToken: 'user',
      clientApp: 'test',
    })
    expect(await parsed(first)).toEqual({ name: 'café "1".bin', bytes })
  })

  test('of unknown size is sent in chunks', async () => {
    const { baseURL, received } = await receiving()
    const chunks = (async function* () {
      yield Buffer.from('hello ')
      await Promise.resolve()
      yield Buffer.from('world')
    })()
    await createClient({ baseURL }).addFile('u1', { chunks }, { fileName: 'a b/c.txt', fileID: 'f7' })
    const [first] = received
    if (!first) throw new Error('nothing received')
    expect(first.url).toBe('/file/u1/f7/a%20b/c.txt')
    expect(first.headers['transfer-encoding']).toBe('chunked')
    expect((await parsed(first)).bytes.toString()).toBe('hello world')
  })

  test('reports monotonic progress from nothing to everything', async () => {
    const { baseURL } = await receiving()
    const seen: Progress[] = []
    const source = new Blob([randomBytes(1_000_000)])
    await createClient({ baseURL }).addFile('u1', source, {
      fileName: 'a',
      onProgress: (now) => seen.push(now),
    })
    expect(seen[0]).toEqual({ sent: 0, total: 1_000_000 })
    expect(seen.at(-1)).toEqual({ sent: 1_000_000, total: 1_000_000 })
    expect(seen.length).toBeGreaterThan(3)
    expect(seen.map(({ sent }) => sent)).toEqual(seen.map(({ sent }) => sent).toSorted((a, b) => a - b))
  })

  test('applies backpressure when the server does not read', async () => {
    const connected = Promise.withResolvers<undefined>()
    const baseURL = await served((request) => {
      request.pause()
      connected.resolve(undefined)
    })
    let produced = 0
    const endless = (async function* () {
      for (;;) {
        produced += 1_000_000
        yield new Uint8Array(1_000_000)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const stop = new AbortController()
    const sending = createClient({ baseURL }).addFile(
      'u1',
      { chunks: endless },
      { fileName: 'a', signal: stop.signal },
    )
    await connected.promise
    // When the buffers of the kernel are full, nothing more is read from the source.
    let before = -1
    const grown = () => {
      const growth = produced - before
      before = produced
      return growth
    }
    await expect.poll(grown, { interval: 100, timeout: 10_000 }).toBe(0)
    stop.abort()
    await expect(sending).rejects.toHaveProperty('name', 'AbortError')
    expect(produced).toBeLessThan(40_000_000)
  })

  test('that is aborted rejects with an AbortError and closes the connection', async () => {
    const cut = Promise.withResolvers<boolean>()
    const stop = new AbortController()
    const baseURL = await served((request) => {
      request.once('data', () => {
        stop.abort()
      })
      request.on('error', () => undefined)
      request.once('close', () => {
        cut.resolve(request.complete)
      })
    })
    // Endless, so that not all of it can be in transit before the abort.
    const endless = (async function* () {
      for (;;) {
        yield new Uint8Array(100_000)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    await expect(
      createClient({ baseURL }).addFile('u1', { chunks: endless }, { fileName: 'a', signal: stop.signal }),
    ).rejects.toHaveProperty('name', 'AbortError')
    expect(await cut.promise).toBe(false)
  })

  test('that is rejected early throws the error of the server', async () => {
    const baseURL = await served((request, response) => {
      response.writeHead(413, { 'content-type': 'application/json' })
      response.end('{"message":"file too big (limit is 1 MB)","code":"file_too_big"}')
      request.resume()
    })
    const source = new Blob([randomBytes(4_000_000)])
    await expect(createClient({ baseURL }).addFile('u1', source, { fileName: 'a' })).rejects.toMatchObject({
      status: 413,
      code: 'file_too_big',
    })
  })

  test('by POST / has its options in the query', async () => {
    const { baseURL, received } = await receiving()
    const response = await createClient({ baseURL }).quickUpload(
      new Blob(['hi']),
      { fileName: 'hi.txt' },
      { ttl: '1d', oneShot: 'true' },
    )
    expect(received[0]?.url).toBe('/?ttl=1d&oneShot=true')
    expect(response).toEqual({ url: '{"id":"f1"}', uploadID: 'u9', uploadToken: 't9' })
  })
})

describe('a download', () => {
  test('sends the range and the credentials, and leaves the body to the caller', async () => {
    let connected: IncomingMessage | undefined
    const baseURL = await served((request, response) => {
      connected = request
      response.writeHead(206).end('ell')
    })
    const response = await createClient({ baseURL: `${baseURL}/prefix/` }).download({ id: 'u1' }, file, {
      range: { start: 1, end: 3 },
      ifRange: '"md5"',
      credentials: { login: 'zoë', password: 'p:w' },
    })
    expect(await response.text()).toBe('ell')
    expect({
      url: connected?.url,
      range: connected?.headers.range,
      ifRange: connected?.headers['if-range'],
      authorization: connected?.headers.authorization,
    }).toEqual({
      url: '/prefix/file/u1/f1/a.bin',
      range: 'bytes=1-3',
      ifRange: '"md5"',
      authorization: `Basic ${Buffer.from('zoë:p:w').toString('base64')}`,
    })
  })

  test('of an archive uses the download domain if there is one', async () => {
    const baseURL = await served((request, response) => response.end(request.url))
    const client = createClient({ baseURL: 'http://127.0.0.1:1' })
    const response = await client.downloadArchive({ id: 'u1', downloadURL: `${baseURL}/d` }, 'all.zip')
    expect(await response.text()).toBe('/d/archive/u1/all.zip')
  })

  test('of 20 MB returns the bytes that were sent', async () => {
    const bytes = randomBytes(20_000_000)
    const baseURL = await served((_request, response) => response.end(bytes))
    const response = await createClient({ baseURL }).download({ id: 'u1' }, file)
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(hash(await response.bytes())).toBe(hash(bytes))
  })

  test('that is rejected throws', async () => {
    const baseURL = await respondingWith(
      404,
      'application/json',
      '{"message":"file f1 not found","code":"file_not_found"}',
    )
    await expect(createClient({ baseURL }).download({ id: 'u1' }, file)).rejects.toMatchObject({
      code: 'file_not_found',
    })
  })
})
