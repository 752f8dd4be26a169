import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bodyOf } from './response-body.ts'
import { createDirectFetch } from './direct-fetch.ts'
import { createNodeFetch } from './node-fetch.ts'

const content = randomBytes(7_000_001)
const directory = mkdtempSync(join(tmpdir(), 'svc-direct-'))
const servers: Server[] = []

beforeAll(() => {
  const files = ['-keyout', join(directory, 'key'), '-out', join(directory, 'certificate')]
  const what = ['-subj', '/CN=localhost', '-newkey', 'rsa:2048', '-nodes', '-days', '1']
  execFileSync('openssl', ['req', '-x509', ...what, ...files], { stdio: 'ignore' })
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
  const pieces: Buffer[] = []
  // Copied, since a batch is overwritten later.
  for await (const batch of bodyOf(response).batches(() => undefined))
    pieces.push(...batch.map((buffer) => Buffer.from(buffer)))
  return Buffer.concat(pieces)
}

const plain: RequestListener = (request, response) => {
  response.setHeader('x-asked', JSON.stringify(request.headers))
  response.writeHead(200, { 'content-length': content.length }).end(content)
}

test.each(['http', 'https'] as const)('a file comes whole over %s', async (kind) => {
  const response = await fetchOf(true)(await serve(plain, kind), { headers: { range: 'bytes=0-' } })
  expect(JSON.parse(response.headers.get('x-asked') ?? '')).toMatchObject({ range: 'bytes=0-' })
  expect((await collected(response)).equals(content)).toBe(true)
})

test('a certificate that nobody vouches for is refused', async () => {
  await expect(fetchOf()(await serve(plain, 'https'))).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})

test('whoever takes the bytes slowly gets the same ones', async () => {
  const response = await fetchOf()(await serve(plain))
  const pieces: Buffer[] = []
  let given: readonly Buffer[] = []
  for await (const batch of bodyOf(response).batches(() => undefined)) {
    // Read as late as is allowed: a turn after the next batch was asked for.
    const before = given
    given = batch
    await new Promise(setImmediate)
    pieces.push(...before.map((buffer) => Buffer.from(buffer)))
  }
  pieces.push(...given.map((buffer) => Buffer.from(buffer)))
  expect(Buffer.concat(pieces).equals(content)).toBe(true)
})

test('an answer in chunks is left to another client', async () => {
  const response = await fetchOf()(
    await serve((_, answer) => {
      answer.write('in ')
      answer.end('chunks')
    }),
  )
  expect((await collected(response)).toString()).toBe('in chunks')
})

test('a refusal is read with its body', async () => {
  const response = await fetchOf()(
    await serve((_, answer) => {
      answer.writeHead(404, { 'content-length': 4 }).end('gone')
    }),
  )
  expect([response.status, await response.text()]).toEqual([404, 'gone'])
})

test('of a connection that is cut, what has come is given before the end is told', async () => {
  const url = await serve((_, answer) => {
    answer.writeHead(200, { 'content-length': content.length })
    answer.write(content.subarray(0, 100_000), () => {
      answer.destroy()
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

test('an abort ends it with its reason', async () => {
  const url = await serve((_, answer) => {
    answer.writeHead(200, { 'content-length': content.length }).write('x')
  })
  const stop = new AbortController()
  const response = await fetchOf()(url, { signal: stop.signal })
  const reading = collected(response)
  stop.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})
