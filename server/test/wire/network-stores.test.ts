import { archivePath } from '@svc/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSwift, type SwiftServer } from '../../../scripts/test-servers/swift.ts'
import type { DataBackendConfig } from '../../src/config/config.ts'
import type { DataBackend } from '../../src/data/backend.ts'
import { gcsBackend } from '../../src/data/gcs/open.ts'
import { swiftBackend } from '../../src/data/swift/open.ts'
import { testTuning } from '../data/network-store-suite.ts'
import { ask, refusalIn, type Question } from '../support/ask.ts'
import { describeOn } from '../support/describe-on.ts'
import { startFaultyProxy, type FaultyProxy } from '../support/faulty-proxy.ts'
import { startGcsServer, unfinishedSessions } from '../support/gcs-server.ts'
import { fileStatuses } from '../support/storage.ts'
import { randomBytes, storeUpload } from '../support/stored-upload.ts'
import { newContainer } from '../support/swift-containers.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { testSurroundings } from '../support/store-surroundings.ts'

/** An empty place in a store, behind a proxy. */
interface PlaceInStore {
  readonly proxy: FaultyProxy
  /** How the service is told of it. */
  readonly config: DataBackendConfig
  /** The same, with less patience. */
  readonly data: DataBackend
  readonly stored: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

function testService(open: () => Promise<PlaceInStore>): void {
  let place: PlaceInStore
  let proxy: FaultyProxy
  let server: TestServer

  beforeEach(async () => {
    place = await open()
    proxy = place.proxy
    server = await startTestServer({ data: place.data })
  })
  afterEach(async () => {
    await server.close()
    await place.close()
  })

  const get = (path: string, question: Question = {}) => ask(server.url, path, question)
  const bytes = randomBytes(11_000_000)
  const put = (content: Uint8Array | string = bytes) =>
    ask(server.url, '/file.bin', { method: 'PUT', body: content })

  test('is told of it by its configuration', async () => {
    const configured = await startTestServer({ config: { dataBackend: place.config } })
    const { path } = await storeUpload(configured, 'content')
    expect((await ask(configured.url, path)).text).toBe('content')
    expect(await place.stored()).toHaveLength(1)
    await configured.close()
  })

  test('keeps files, gives them whole and in ranges, and forgets them', async () => {
    const { path, upload, uploadToken } = await storeUpload(server, bytes)
    expect((await get(path)).body.equals(bytes)).toBe(true)
    const part = await get(path, { headers: { range: 'bytes=8388600-8388619' } })
    expect(part.status).toBe(206)
    expect(part.body.equals(bytes.subarray(8_388_600, 8_388_620))).toBe(true)
    expect((await get(path, { headers: { range: 'bytes=11000000-' } })).status).toBe(416)
    await server.client.removeUpload(upload.id, { uploadToken })
    await server.clean()
    expect(await place.stored()).toEqual([])
  })

  test('gives an empty file', async () => {
    const { path } = await storeUpload(server, '')
    expect(await get(path)).toMatchObject({ status: 200, text: '' })
  })

  test('archives files, with ranges', async () => {
    const { upload, uploadToken } = await storeUpload(server, bytes)
    await server.client.addFile(upload.id, new Blob(['second']), { fileName: 'second', uploadToken })
    const path = archivePath(upload.id, 'all.zip')
    const whole = await get(path)
    expect(whole.body).toHaveLength(Number(whole.headers['content-length']))
    const start = whole.body.length - 1_000
    const end = await get(path, { headers: { range: `bytes=${String(start)}-` } })
    expect(end.body.equals(whole.body.subarray(start))).toBe(true)
  })

  test('gives a one-shot file once, and back after the store failed', async () => {
    const { path } = await storeUpload(server, bytes, { oneShot: true })
    proxy.fail({ kind: 'answer', status: 503 }, { when: /^GET/, times: testTuning.patience.tries })
    expect(refusalIn(await get(path))).toEqual({ status: 503, code: 'unavailable' })
    expect((await get(path)).body.equals(bytes)).toBe(true)
    expect((await get(path)).status).toBe(404)
    await server.clean()
    expect(await place.stored()).toEqual([])
  })

  test('finishes uploads and downloads though the store breaks off and refuses in the middle', async () => {
    proxy.fail({ kind: 'cut-request', after: 500_000 }, { when: /^PUT/, times: 1 })
    proxy.fail({ kind: 'answer', status: 503 }, { when: /^PUT/, skip: 1, times: 1 })
    proxy.fail({ kind: 'cut-answer', after: 5_000_000 }, { when: /^GET/, times: 1 })
    const { path } = await storeUpload(server, bytes)
    expect((await get(path)).body.equals(bytes)).toBe(true)
  })

  test('refuses for now while the store is away, and cleans up when it is back', async () => {
    const { path, upload, uploadToken } = await storeUpload(server, 'content')
    await proxy.down()
    expect(refusalIn(await get(path))).toEqual({ status: 503, code: 'unavailable' })
    expect((await put()).status).toBe(503)
    expect((await put('small')).status).toBe(503)
    expect(fileStatuses(server).toSorted()).toEqual(['removed', 'removed', 'uploaded'])
    expect((await server.clean()).failures).toBe(2)
    await proxy.up()
    expect((await get(path)).text).toBe('content')
    await server.client.removeUpload(upload.id, { uploadToken })
    expect(await server.clean()).toMatchObject({ deletedFiles: 3, failures: 0 })
    expect(await place.stored()).toEqual([])
  })

  test('says that there is no space when the store says so', async () => {
    proxy.fail({ kind: 'answer', status: 413 }, { when: /^(?:PUT|POST)/ })
    expect((await put('small')).status).toBe(507)
    expect((await put()).status).toBe(507)
    proxy.heal()
    await server.clean()
    expect(await place.stored()).toEqual([])
  })

  test('says nothing of the store in what it answers', async () => {
    proxy.fail({ kind: 'answer', status: 403 }, { when: /./ })
    const { text, status } = await put()
    expect(status).toBe(503)
    expect(text).not.toMatch(/swift|google|bucket|container|403|127\.0\.0\.1/i)
  })
}

describe('a service on Google Cloud Storage', () => {
  testService(async () => {
    const store = await startGcsServer()
    const proxy = await startFaultyProxy(store.endpoint)
    const options = { bucket: store.bucketName, prefix: 'svc/', keyFile: '', endpoint: proxy.url }
    return {
      proxy,
      config: { kind: 'gcs', ...options },
      data: await gcsBackend(options, testSurroundings(), testTuning),
      stored: () => Promise.resolve([...store.bucket.objects.keys(), ...unfinishedSessions(store)]),
      close: async () => {
        await proxy.close()
        await store.close()
      },
    }
  })
})

describeOn('swift', 'a service on Swift', () => {
  let store: SwiftServer
  beforeAll(async () => {
    store = await startSwift()
  })
  afterAll(() => store.remove())

  testService(async () => {
    const proxy = await startFaultyProxy(store.endpoint)
    const container = newContainer(store)
    const authURL = `${proxy.url}${new URL(store.authURL).pathname}`
    const options = container.options({ authURL, segmentSize: 1024 * 1024 })
    return {
      proxy,
      config: { kind: 'swift', ...options },
      data: await swiftBackend(options, testSurroundings(), testTuning),
      stored: container.objects,
      close: () => proxy.close(),
    }
  })
})
