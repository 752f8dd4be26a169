import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startFaultyProxy, type FaultyProxy } from '../../server/test/support/servers/faulty-proxy.ts'
import { startTestServer, type TestServer } from '../../server/test/support/servers/test-server.ts'
import {
  ApiError,
  createClient,
  fileBatches,
  fileBytes,
  type BodyReader,
  type Client,
  type FileBytesOptions,
} from '../src/index.ts'
import { createServers } from './served.ts'

let server: TestServer
let proxy: FaultyProxy
/** Sends its requests through the proxy. */
let client: Client
const { served, close } = createServers()
beforeAll(async () => {
  server = await startTestServer()
  proxy = await startFaultyProxy(server.url)
  client = createClient({ baseURL: proxy.url })
})
afterEach(async () => {
  proxy.heal()
  await close()
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})

const bytes = randomBytes(2_000_000)
const hash = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

async function stored({ content = bytes, ...options }: { content?: Buffer; oneShot?: boolean } = {}) {
  const upload = await server.client.createUpload(options)
  const { uploadToken } = upload
  const file = await server.client.addFile(upload.id, new Blob([new Uint8Array(content)]), {
    fileName: 'a.bin',
    uploadToken,
  })
  return { upload, file }
}

type Stored = Awaited<ReturnType<typeof stored>>

/** The received bytes and the reported interruptions. Retries do not wait. */
async function collect({ upload, file }: Pick<Stored, 'upload' | 'file'>, options: FileBytesOptions = {}) {
  const received: Uint8Array[] = []
  const cuts: unknown[] = []
  const onInterruption = (error: unknown) => cuts.push(error)
  const wait = () => Promise.resolve()
  try {
    for await (const chunk of fileBytes(client, upload, file, { wait, onInterruption, ...options }))
      received.push(chunk)
    return { bytes: Buffer.concat(received), cuts, error: undefined }
  } catch (error) {
    return { bytes: Buffer.concat(received), cuts, error }
  }
}

const ranges = async (getting: () => Promise<unknown>) => {
  const before = proxy.requests.length
  await getting()
  return proxy.requests.slice(before).length
}

test('a file arrives complete and verified, with progress', async () => {
  const progressBytes: number[] = []
  const { bytes: received, error } = await collect(await stored(), {
    md5: createHash('md5'),
    onProgress: (progress) => progressBytes.push(progress.received),
  })
  expect({ hash: hash(received), error }).toEqual({ hash: hash(bytes), error: undefined })
  expect([progressBytes[0], progressBytes.at(-1)]).toEqual([0, bytes.length])
  expect(progressBytes).toEqual(progressBytes.toSorted((a, b) => a - b))
})

test('an empty file arrives, and its download counts', async () => {
  const empty = await stored({ content: Buffer.alloc(0), oneShot: true })
  expect(await collect(empty, { md5: createHash('md5') })).toEqual({
    bytes: Buffer.alloc(0),
    cuts: [],
    error: undefined,
  })
  expect((await collect(empty)).error).toMatchObject({ status: 404 })
})

test.for([0, 1, 700_000, bytes.length - 1])('after a cut at %d bytes a download resumes', async (after) => {
  const found = await stored()
  const cut = proxy.fail({ kind: 'end-response', after }, { when: /^GET \/file/, times: 1 })
  const { bytes: received, cuts, error } = await collect(found, { md5: createHash('md5') })
  expect({ hash: hash(received), cuts: cuts.length, error }).toEqual({
    hash: hash(bytes),
    cuts: 1,
    error: undefined,
  })
  expect(cut()).toBe(1)
})

test('a resumed download requests only the missing bytes of the same file', async () => {
  const found = await stored()
  proxy.fail({ kind: 'end-response', after: 700_000 }, { when: /^GET \/file/, times: 1 })
  const first = proxy.seen(/^GET \/file/)
  const collecting = collect(found)
  await first
  const request = await proxy.seen(/^GET \/file/)
  expect(request).toMatchObject({
    range: expect.stringMatching(/^bytes=[1-9]\d*-$/) as unknown,
    'if-range': `"${found.file.md5}"`,
  })
  expect(hash((await collecting).bytes)).toBe(hash(bytes))
})

test('a download that began earlier resumes, and is verified together with the existing bytes', async () => {
  const found = await stored()
  const md5 = createHash('md5').update(bytes.subarray(0, 1_500_000))
  const { bytes: received, error } = await collect(found, { start: 1_500_000, md5 })
  expect(error).toBeUndefined()
  expect(hash(received)).toBe(hash(bytes.subarray(1_500_000)))
  const resuming = async () => {
    const whole = createHash('md5').update(bytes)
    expect(await collect(found, { start: bytes.length, md5: whole })).toMatchObject({ error: undefined })
  }
  expect(await ranges(resuming)).toBe(0)
})

test('bytes that differ from the file are reported', async () => {
  const found = await stored()
  const md5 = createHash('md5').update('something else')
  expect((await collect(found, { start: 5, md5 })).error).toMatchObject({ code: 'checksum_mismatch' })
})

test('a download fails after too many errors in a row; progress resets the count', async () => {
  const found = await stored()
  const fail = (times: number, after: number) =>
    proxy.fail({ kind: 'end-response', after }, { when: /^GET \/file/, times })
  fail(3, 0)
  const failed = await collect(found, { retries: 2 })
  expect(failed.error).toMatchObject({ code: 'network' })
  expect(failed.cuts).toHaveLength(2)
  proxy.heal()
  fail(6, 250_000)
  const completed = await collect(found, { retries: 1 })
  expect({ hash: hash(completed.bytes), error: completed.error }).toEqual({
    hash: hash(bytes),
    error: undefined,
  })
})

test('delays grow, and a permanent error is not retried', async () => {
  const found = await stored()
  const pauses: number[] = []
  const wait = (ms: number) => {
    pauses.push(ms)
    return Promise.resolve()
  }
  proxy.fail({ kind: 'respond', status: 502 }, { when: /^GET \/file/, times: 3 })
  await collect(found, { wait, random: () => 1 })
  expect(pauses).toEqual([500, 1000, 2000])
  const unknown = { ...found, file: { ...found.file, id: 'X'.repeat(16) } }
  expect(await ranges(() => collect(unknown))).toBe(1)
  expect((await collect(unknown)).error).toMatchObject({ status: 404, code: 'file_not_found' })
})

test('a one-shot file arrives complete after a cut, and is then removed', async () => {
  const found = await stored({ oneShot: true })
  proxy.fail({ kind: 'end-response', after: 700_000 }, { when: /^GET \/file/, times: 1 })
  // The server releases the claim when it has noticed the cut.
  const wait = () => new Promise<void>((resolve) => setImmediate(resolve))
  const { bytes: received, error } = await collect(found, {
    wait,
    retries: 1_000_000,
    md5: createHash('md5'),
  })
  expect({ hash: hash(received), error }).toEqual({ hash: hash(bytes), error: undefined })
  expect((await collect(found)).error).toMatchObject({ status: 404 })
})

test('a response that is not the file is rejected', async () => {
  const found = await stored()
  const invalidHeaders: Record<string, string | number>[] = [
    { etag: `"${'0'.repeat(32)}"` },
    { 'content-length': 5 },
    { 'content-range': `bytes 9-${String(bytes.length - 1)}/${String(bytes.length)}` },
  ]
  for (const headers of invalidHeaders) {
    const baseURL = await served((_request, response) => {
      response.writeHead('content-range' in headers ? 206 : 200, headers).end('hello')
    })
    const strange = createClient({ baseURL })
    const wait = () => Promise.resolve()
    const reading = async () => {
      for await (const chunk of fileBytes(strange, found.upload, found.file, { wait, start: 10 }))
        expect(chunk).toBe(undefined)
    }
    await expect(reading()).rejects.toMatchObject({ code: 'invalid_response' })
  }
})

describe('another reader of bodies', () => {
  /** Reads a body in batches of three chunks, and records how many are closed. */
  function createReader() {
    let closed = 0
    const readBody = ({ body }: Response): BodyReader => ({
      batches: (async function* () {
        for await (const chunk of body ?? []) {
          const [first, second] = [Math.floor(chunk.length / 3), Math.floor(chunk.length / 2)]
          yield [chunk.subarray(0, first), chunk.subarray(first, second), chunk.subarray(second)]
        }
      })(),
      cancel: () => {
        closed += 1
      },
    })
    return { readBody, closed: () => closed }
  }

  test('may return several chunks at once; those of an earlier attempt are skipped', async () => {
    const found = await stored()
    // Without support for ranges, each response has the whole file.
    const baseURL = await served((_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
    })
    const cut = new ApiError(0, 'network', 'cut')
    const { readBody, closed } = createReader()
    let attempts = 0
    const cutOnce = (response: Response): BodyReader => {
      const reader = readBody(response)
      attempts += 1
      if (attempts > 1) return reader
      const batches = (async function* () {
        for await (const batch of reader.batches) {
          yield batch
          throw cut
        }
      })()
      return { ...reader, batches }
    }
    const wait = () => Promise.resolve()
    const options = { wait, md5: createHash('md5'), readBody: cutOnce }
    const whole = createClient({ baseURL })
    const batches = await Array.fromAsync(fileBatches(whole, found.upload, found.file, options))
    expect(hash(Buffer.concat(batches.flat()))).toBe(hash(bytes))
    expect(closed()).toBe(2)
  })

  test('is closed without being read when the response is not the file', async () => {
    const found = await stored()
    const baseURL = await served((_request, response) => {
      response.writeHead(200, { 'content-length': 5 }).end('hello')
    })
    const { readBody, closed } = createReader()
    const reading = Array.fromAsync(
      fileBatches(createClient({ baseURL }), found.upload, found.file, { readBody }),
    )
    await expect(reading).rejects.toMatchObject({ code: 'invalid_response' })
    expect(closed()).toBe(1)
  })
})

test('a consumer that stops, or aborts, ends the request', async () => {
  const found = await stored()
  for await (const chunk of fileBytes(client, found.upload, found.file)) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }
  const stop = new AbortController()
  const onProgress = ({ received }: { readonly received: number }) => {
    if (received > 0) stop.abort(new Error('enough'))
  }
  expect(await collect(found, { signal: stop.signal, onProgress })).toMatchObject({
    cuts: [],
    error: { message: 'enough' },
  })
})
