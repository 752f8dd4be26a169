import { archivePath } from '@svc/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startRadosgw, type RadosgwServer } from '../../../scripts/test-servers/radosgw.ts'
import { s3Backend } from '../../src/data/s3/open.ts'
import { ask, refusalIn, type Question } from '../support/ask.ts'
import { describeOn } from '../support/describe-on.ts'
import { startFaultyProxy, type FaultyProxy } from '../support/faulty-proxy.ts'
import { newBucket, testPatience, type TestBucket } from '../support/s3-buckets.ts'
import { fileStatuses } from '../support/storage.ts'
import { randomBytes, storeUpload } from '../support/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

describeOn('radosgw', 'a service on S3', () => {
  let store: RadosgwServer
  let proxy: FaultyProxy
  let bucket: TestBucket
  let server: TestServer

  beforeAll(async () => {
    store = await startRadosgw()
  })
  afterAll(() => store.remove())
  beforeEach(async () => {
    proxy = await startFaultyProxy(store.endpoint)
    bucket = await newBucket(store)
    server = await startTestServer({
      data: await s3Backend(bucket.options({ endpoint: proxy.url }), testPatience),
    })
  })
  afterEach(async () => {
    await server.close()
    await proxy.close()
  })

  const get = (path: string, question: Question = {}) => ask(server.url, path, question)
  const bytes = randomBytes(11_000_000)
  const put = (content: Uint8Array | string = bytes) =>
    ask(server.url, '/file.bin', { method: 'PUT', body: content })
  const everything = async () => [...(await bucket.objects()), ...(await bucket.unfinished())]

  test('is told of it by its configuration', async () => {
    const configured = await startTestServer({
      config: { dataBackend: { kind: 's3', ...bucket.options({ prefix: 'svc/' }) } },
    })
    const { path, file } = await storeUpload(configured, 'content')
    expect((await ask(configured.url, path)).text).toBe('content')
    expect(await bucket.objects()).toEqual([`svc/${file.id}`])
    await configured.close()
  })

  test('keeps files, gives them whole and in ranges, and forgets them', async () => {
    const { path, upload, uploadToken, file } = await storeUpload(server, bytes)
    expect((await get(path)).body.equals(bytes)).toBe(true)
    const part = await get(path, { headers: { range: 'bytes=5242870-5242899' } })
    expect(part.status).toBe(206)
    expect(part.body.equals(bytes.subarray(5_242_870, 5_242_900))).toBe(true)
    expect((await get(path, { headers: { range: 'bytes=11000000-' } })).status).toBe(416)
    expect(await everything()).toEqual([file.id])
    await server.client.removeUpload(upload.id, { uploadToken })
    await server.clean()
    expect(await everything()).toEqual([])
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
    const heal = proxy.fail({ kind: 'answer', status: 503 }, { when: /^GET/, times: 5 })
    expect(refusalIn(await get(path))).toEqual({ status: 503, code: 'unavailable' })
    expect(heal()).toBe(5)
    expect((await get(path)).body.equals(bytes)).toBe(true)
    expect((await get(path)).status).toBe(404)
    await server.clean()
    expect(await everything()).toEqual([])
  })

  test('finishes a download though the store breaks off in the middle', async () => {
    const { path } = await storeUpload(server, bytes)
    proxy.fail({ kind: 'cut-answer', after: 5_000_000 }, { when: /^GET/, times: 1 })
    expect((await get(path)).body.equals(bytes)).toBe(true)
  })

  test('refuses for now what the store refuses for now, and leaves nothing', async () => {
    proxy.fail({ kind: 'answer', status: 503 }, { when: /^(?:PUT|POST)/, times: 5 })
    const refused = await put()
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBe('5')
    expect((await put()).status).toBe(200)
    await server.clean()
    expect(await everything()).toHaveLength(1)
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
    expect(await everything()).toEqual([])
  })

  test('says nothing of the store in what it answers', async () => {
    proxy.fail({ kind: 'answer', status: 403 }, { when: /./ })
    const { text, status } = await put()
    expect(status).toBe(503)
    expect(text).not.toMatch(/S3|bucket|radosgw|AccessDenied|127\.0\.0\.1/i)
  })

  test('waits for a slow store', async () => {
    const held = Promise.withResolvers<undefined>()
    proxy.fail({ kind: 'hold', until: held.promise }, { when: /^PUT/, times: 1 })
    const seen = proxy.seen(/^PUT/)
    const sent = put()
    await seen
    held.resolve(undefined)
    expect((await sent).status).toBe(200)
  })

  test('says that there is no space when the quota of the store is used up', async () => {
    await store.limit(1)
    try {
      expect((await put('small')).status).toBe(507)
      expect((await put()).status).toBe(507)
    } finally {
      await store.limit(-1)
    }
    expect(await everything()).toEqual([])
  })
})
