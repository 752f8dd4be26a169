import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Upload, type UploadOptions } from 'tus-js-client'
import { startFaultyProxy, type FaultyProxy } from '../support/servers/faulty-proxy.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import {
  expectWhole,
  head,
  readListedFile,
  newTarget,
  type UploadTarget,
  type TusFile,
} from '../resumable/tus.ts'

let server: TestServer
let proxy: FaultyProxy
beforeAll(async () => {
  server = await startTestServer()
  proxy = await startFaultyProxy(server.url)
})
afterEach(() => {
  proxy.heal()
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})

const bytes = Buffer.from(randomBytes(2_500_000))

/** The configuration of a client: it has only the address and the token of this service. */
const optionsFor = (target: UploadTarget, base = server.url): UploadOptions => ({
  endpoint: `${base}/tus/${target.id}`,
  headers: { ...target.headers },
  metadata: { filename: 'file.bin' },
  retryDelays: [0, 10, 10, 10, 10],
})

/**
 * Runs a client to its end.
 * @throws the error with which it gives up
 */
function run(source: Buffer | Readable, options: UploadOptions): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(source, {
      ...options,
      onSuccess: () => {
        resolve(upload)
      },
      onError: reject,
    })
    upload.start()
  })
}

function fileOf(target: UploadTarget, { url }: Pick<Upload, 'url'>): TusFile {
  const path = new URL(url ?? '').pathname
  return { target, path, id: path.split('/').at(-1) ?? '' }
}

const ways: readonly (readonly [string, Partial<UploadOptions>])[] = [
  ['whole', {}],
  ['in chunks', { chunkSize: 600_000 }],
  ['with its first bytes at creation', { uploadDataDuringCreation: true }],
  ['with its first bytes at creation, in chunks', { uploadDataDuringCreation: true, chunkSize: 600_000 }],
  ['by POST only', { overridePatchMethod: true, chunkSize: 600_000 }],
  ['with its length at the end', { uploadLengthDeferred: true, chunkSize: 600_000 }],
]
test.each(ways)('a buffer, %s', async (_how, options) => {
  const target = await newTarget(server)
  const upload = await run(bytes, { ...optionsFor(target), ...options })
  await expectWhole(server, fileOf(target, upload), bytes)
})

test.each([
  ['of a known length', { uploadSize: bytes.length, chunkSize: 600_000 }],
  ['of an unknown length', { uploadLengthDeferred: true, chunkSize: 600_000 }],
])('a stream %s', async (_how, options) => {
  const target = await newTarget(server)
  const chunks = Array.from({ length: 25 }, (_, n) => bytes.subarray(n * 100_000, (n + 1) * 100_000))
  const upload = await run(Readable.from(chunks), { ...optionsFor(target), ...options })
  await expectWhole(server, fileOf(target, upload), bytes)
})

test('a buffer, in parallel parts', async () => {
  const target = await newTarget(server)
  const upload = await run(bytes, { ...optionsFor(target), parallelUploads: 3, chunkSize: 600_000 })
  await expectWhole(server, fileOf(target, upload), bytes)
  expect((await server.client.upload(target.id)).files).toHaveLength(1)
})

test('a stopped upload resumes', async () => {
  const target = await newTarget(server)
  const options = { ...optionsFor(target), chunkSize: 500_000 }
  const stopped = await new Promise<Upload>((resolve, reject) => {
    const upload: Upload = new Upload(bytes, {
      ...options,
      onError: reject,
      onChunkComplete: (_size, accepted) => {
        if (accepted === 1_000_000)
          void upload.abort().then(() => {
            resolve(upload)
          }, reject)
      },
    })
    upload.start()
  })
  const file = fileOf(target, stopped)
  const offset = Number((await head(server, file)).headers['upload-offset'])
  expect(offset).toBeGreaterThanOrEqual(1_000_000)
  expect(offset).toBeLessThan(bytes.length)
  await run(bytes, { ...options, uploadUrl: stopped.url })
  await expectWhole(server, file, bytes)
})

test('an upload resumes when its connections are cut, at any of its requests', async () => {
  const target = await newTarget(server)
  const cut = proxy.fail({ kind: 'cut-request', after: 300_000 }, { when: /^PATCH/, times: 3 })
  const lost = proxy.fail({ kind: 'lose-response' }, { when: /^PATCH/, times: 1 })
  const headless = proxy.fail({ kind: 'lose-response' }, { when: /^HEAD/, times: 1 })
  const upload = await run(bytes, { ...optionsFor(target, proxy.url), chunkSize: 1_000_000 })
  expect([cut(), lost(), headless()]).toEqual([3, 1, 1])
  await expectWhole(server, fileOf(target, upload), bytes)
})

test('an upload can be terminated', async () => {
  const target = await newTarget(server)
  const url = await new Promise<string>((resolve, reject) => {
    const upload: Upload = new Upload(bytes, {
      ...optionsFor(target),
      chunkSize: 500_000,
      onError: reject,
      onChunkComplete: () => {
        void upload.abort(true).then(() => {
          resolve(upload.url ?? '')
        }, reject)
      },
    })
    upload.start()
  })
  const file = fileOf(target, { url })
  expect((await head(server, file)).status).toBe(404)
  expect(await readListedFile(server, file)).toMatchObject({ status: 'removed' })
})
