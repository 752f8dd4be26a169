import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bodyOf } from './response-body.ts'
import { createDirectFetch } from './direct-fetch.ts'
import { createNodeFetch } from './node-fetch.ts'

const content = randomBytes(7_000_001)
const directory = mkdtempSync(join(tmpdir(), 'svc-direct-'))
const servers: Server[] = []

beforeAll(() => {
  const files = ['-keyout', join(directory, 'key'), '-out', join(directory, 'certificate')]
  const options = ['-subj', '/CN=localhost', '-newkey', 'rsa:2048', '-nodes', '-days', '1']
  execFileSync('openssl', ['req', '-x509', ...options, ...files], { stdio: 'ignore' })
})
afterEach(() => Promise.all(servers.splice(0).map((server) => server[Symbol.asyncDispose]())))
afterAll(() => {
  rmSync(directory, { recursive: true })
})

async function serve(listener: RequestListener, kind: 'http' | 'https' = 'http'): Promise<string> {
  const read = (name: string) => readFileSync(join(directory, name))
  const server =
    kind === 'http'
      ? createServer(listener)
      : createSecureServer({ key: read('key'), cert: read('certificate') }, listener)
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `${kind}://127.0.0.1:${String((server.address() as AddressInfo).port)}/file`
}

const fetchOf = (insecure = false) => {
  const options = { environment: {}, insecure }
  return createDirectFetch(options, createNodeFetch(options))
}

async function collected(response: Response): Promise<Buffer> {
  const chunks: Buffer[] = []
  // Copied, because the next batch overwrites the buffers.
  for await (const batch of bodyOf(response).batches(() => undefined))
    chunks.push(...batch.map((buffer) => Buffer.from(buffer)))
  return Buffer.concat(chunks)
}

const plain: RequestListener = (request, response) => {
  response.setHeader('x-asked', JSON.stringify(request.headers))
  response.writeHead(200, { 'content-length': content.length }).end(content)
}

test.each(['http', 'https'] as const)('a file arrives complete over %s', async (kind) => {
  const response = await fetchOf(true)(await serve(plain, kind), { headers: { range: 'bytes=0-' } })
  expect(JSON.parse(response.headers.get('x-asked') ?? '')).toMatchObject({
    range: 'bytes=0-',
    'accept-encoding': 'identity',
  })
  expect((await collected(response)).equals(content)).toBe(true)
})

test('a certificate from an unknown issuer is rejected', async () => {
  await expect(fetchOf()(await serve(plain, 'https'))).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})

test('a slow consumer receives the same bytes', async () => {
  const response = await fetchOf()(await serve(plain))
  const chunks: Buffer[] = []
  let latest: readonly Buffer[] = []
  for await (const batch of bodyOf(response).batches(() => undefined)) {
    // Read as late as the contract allows: one turn of the event loop after the next batch is requested.
    const before = latest
    latest = batch
    await new Promise(setImmediate)
    chunks.push(...before.map((buffer) => Buffer.from(buffer)))
  }
  chunks.push(...latest.map((buffer) => Buffer.from(buffer)))
  expect(Buffer.concat(chunks).equals(content)).toBe(true)
})

/** Sends bytes in chunks of different sizes, some larger than a block of the reader and some smaller than a read. */
const chunked: RequestListener = (_, response) => {
  let start = 0
  for (const size of [1, 3, 65_536, 2_500_000, 17, 1_048_576]) {
    response.write(content.subarray(start, start + size))
    start += size
  }
  response.addTrailers({ 'x-end': 'yes' })
  response.end(content.subarray(start))
}

test('a chunked response arrives complete, in one request', async () => {
  let requests = 0
  const url = await serve((request, response) => {
    requests += 1
    response.setHeader('trailer', 'x-end')
    chunked(request, response)
  })
  expect((await collected(await fetchOf()(url))).equals(content)).toBe(true)
  expect(requests).toBe(1)
})

test('a chunked response that is cut throws, also between two chunks', async () => {
  const url = await serve((_, response) => {
    response.write(content.subarray(0, 100_000), () => {
      response.destroy()
    })
  })
  await expect(collected(await fetchOf()(url))).rejects.toThrow('the connection was cut')
})

test('a response that ends with its connection arrives complete, in one request', async () => {
  let requests = 0
  const url = await serve(({ socket }) => {
    requests += 1
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.end(content)
  })
  expect((await collected(await fetchOf()(url))).equals(content)).toBe(true)
  expect(requests).toBe(1)
})

test('an encoded response falls back to the other HTTP client', async () => {
  let requests = 0
  const url = await serve((_, response) => {
    requests += 1
    if (requests === 1) response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('first'))
    else response.end('second')
  })
  expect((await collected(await fetchOf()(url))).toString()).toBe('second')
})

test('a chunked error response is returned with its body', async () => {
  const response = await fetchOf()(
    await serve((_, response) => {
      response.writeHead(404)
      response.write('go')
      response.end('ne')
    }),
  )
  expect([response.status, await response.text()]).toEqual([404, 'gone'])
})

test('an error response is returned with its body', async () => {
  const response = await fetchOf()(
    await serve((_, response) => {
      response.writeHead(404, { 'content-length': 4 }).end('gone')
    }),
  )
  expect([response.status, await response.text()]).toEqual([404, 'gone'])
})

test('a cut connection delivers the received bytes before it throws', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': content.length })
    response.write(content.subarray(0, 100_000), () => {
      response.destroy()
    })
  })
  const response = await fetchOf()(url)
  let bytes = 0
  const reading = async () => {
    for await (const batch of bodyOf(response).batches(() => undefined))
      bytes += batch.reduce((sum, { length }) => sum + length, 0)
  }
  await expect(reading()).rejects.toThrow()
  expect(bytes).toBe(100_000)
})

test('an abort ends the response with the abort reason', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': content.length }).write('x')
  })
  const stop = new AbortController()
  const response = await fetchOf()(url, { signal: stop.signal })
  const reading = collected(response)
  stop.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})
