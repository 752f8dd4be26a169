import { archivePath } from '@svc/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DataBackendConfig } from '../../src/config/config.ts'
import type { DataBackend } from '../../src/data/backend/backend.ts'
import {
  begin,
  expectWhole,
  joinParts,
  offsetOf,
  newTarget,
  patch,
  newFile,
  sendParts,
} from '../resumable/tus.ts'
import { sendRequest, errorIn, type TestRequest } from '../support/clients/send-request.ts'
import type { FaultyProxy } from '../support/servers/faulty-proxy.ts'
import { fileStatuses } from '../support/servers/server-data.ts'
import { randomBytes, storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'

/** An empty place in a store, behind a proxy. */
export interface PlaceInStore {
  readonly proxy: FaultyProxy
  /** Its configuration. */
  readonly config: DataBackendConfig
  /** A backend on it, with short timeouts; each call makes another. */
  readonly open: () => Promise<DataBackend>
  /** The number of attempts of a request. */
  readonly tries: number
  /** Its response when it is full. */
  readonly full: number
  /** A byte at which two parts of a file meet. */
  readonly border: number
  readonly stored: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** The contract of a service on a network store; `open` returns a new place each time. */
export function testServiceOnStore(open: () => Promise<PlaceInStore>): void {
  let place: PlaceInStore
  let proxy: FaultyProxy
  let server: TestServer

  beforeEach(async () => {
    place = await open()
    proxy = place.proxy
    server = await startTestServer({ data: await place.open() })
  })
  afterEach(async () => {
    await server.close()
    await place.close()
  })

  const get = (path: string, request: TestRequest = {}) => sendRequest(server.url, path, request)
  const bytes = randomBytes(11_000_000)
  const put = (content: Uint8Array | string = bytes) =>
    sendRequest(server.url, '/file.bin', { method: 'PUT', body: content })

  test('uses the store of its configuration', async () => {
    const configured = await startTestServer({ config: { dataBackend: place.config } })
    const { path } = await storeUpload(configured, 'content')
    expect((await sendRequest(configured.url, path)).text).toBe('content')
    expect(await place.stored()).toHaveLength(1)
    await configured.close()
  })

  test('stores files, serves them whole and in ranges, and removes them', async () => {
    const { path, upload, uploadToken } = await storeUpload(server, bytes)
    expect((await get(path)).body.equals(bytes)).toBe(true)
    const part = await get(path, {
      headers: { range: `bytes=${String(place.border - 10)}-${String(place.border + 9)}` },
    })
    expect(part.status).toBe(206)
    expect(part.body.equals(bytes.subarray(place.border - 10, place.border + 10))).toBe(true)
    expect((await get(path, { headers: { range: 'bytes=11000000-' } })).status).toBe(416)
    await server.client.removeUpload(upload.id, { uploadToken })
    await server.clean()
    expect(await place.stored()).toEqual([])
  })

  test('serves an empty file', async () => {
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

  test('serves a one-shot file once, and releases it after the store failed', async () => {
    const { path } = await storeUpload(server, bytes, { oneShot: true })
    const happened = proxy.fail({ kind: 'respond', status: 503 }, { when: /^GET/, times: place.tries })
    expect(errorIn(await get(path))).toEqual({ status: 503, code: 'unavailable' })
    expect(happened()).toBe(place.tries)
    expect((await get(path)).body.equals(bytes)).toBe(true)
    expect((await get(path)).status).toBe(404)
    await server.clean()
    expect(await place.stored()).toEqual([])
  })

  test('keeps a one-shot file until a download succeeds, for any number of failures of the store', async () => {
    const { path } = await storeUpload(server, bytes, { oneShot: true })
    for (let time = 0; time < 4; time += 1) {
      proxy.fail({ kind: 'end-response', after: bytes.length * 0.8 }, { when: /^GET/, times: 1 })
      proxy.fail({ kind: 'respond', status: 403 }, { when: /^GET/ })
      await expect(get(path)).rejects.toThrow('aborted')
      proxy.heal()
    }
    expect((await get(path)).body.equals(bytes)).toBe(true)
    expect((await get(path)).status).toBe(404)
  })

  test('completes uploads and downloads although the store cuts and rejects in the middle', async () => {
    proxy.fail({ kind: 'cut-request', after: 500_000 }, { when: /^PUT/, times: 1 })
    proxy.fail({ kind: 'respond', status: 503 }, { when: /^PUT/, skip: 1, times: 1 })
    proxy.fail({ kind: 'cut-response', after: 5_000_000 }, { when: /^GET/, times: 1 })
    const { path } = await storeUpload(server, bytes)
    expect((await get(path)).body.equals(bytes)).toBe(true)
  })

  test('rejects requests while the store is unreachable, and cleans up when it is back', async () => {
    const { path, upload, uploadToken } = await storeUpload(server, 'content')
    await proxy.down()
    expect(errorIn(await get(path))).toEqual({ status: 503, code: 'unavailable' })
    const rejected = await put()
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '5'])
    expect((await put('small')).status).toBe(503)
    expect(fileStatuses(server).toSorted()).toEqual(['removed', 'removed', 'uploaded'])
    expect((await server.clean()).failedDeletions).toBe(2)
    await proxy.up()
    expect((await get(path)).text).toBe('content')
    await server.client.removeUpload(upload.id, { uploadToken })
    expect(await server.clean()).toMatchObject({ deletedFiles: 3, failedDeletions: 0 })
    expect(await place.stored()).toEqual([])
  })

  test('reports a full store', async () => {
    proxy.fail({ kind: 'respond', status: place.full }, { when: /^(?:PUT|POST)/ })
    expect((await put('small')).status).toBe(507)
    expect((await put()).status).toBe(507)
    proxy.heal()
    await server.clean()
    expect(await place.stored()).toEqual([])
  })

  test('reveals nothing about the store in its responses', async () => {
    proxy.fail({ kind: 'respond', status: 403 }, { when: /./ })
    const { text, status } = await put()
    expect(status).toBe(503)
    expect(text).not.toMatch(/s3|radosgw|swift|google|bucket|container|403|denied|127\.0\.0\.1/i)
  })

  test('assembles a file of parts that arrived in parallel', async () => {
    const target = await newTarget(server)
    const parts = await sendParts(server, target, [
      bytes.subarray(0, 5_300_000),
      bytes.subarray(5_300_000, 5_300_001),
      bytes.subarray(5_300_001),
    ])
    const { headers } = await joinParts(server, target, parts)
    const { pathname: path } = new URL(headers.location ?? '')
    await expectWhole(server, { target, path, id: String(headers['x-fileid']) }, bytes)
    await server.client.removeUpload(target.id, { uploadToken: target.upload.uploadToken })
    await server.clean()
    expect(await place.stored()).toEqual([])
  })

  describe('with two processes', () => {
    let other: TestServer
    beforeEach(async () => {
      other = await startTestServer({
        data: await place.open(),
        directory: server.directory,
        clock: server.clock,
      })
    })
    afterEach(() => other.close())

    test('continues a file at the other one', async () => {
      const target = await newTarget(server)
      const file = await begin(server, target, { size: bytes.length })
      const borders = [0, 1, 100_000, 6_000_000, 6_000_001, bytes.length]
      for (const [index, start] of borders.slice(0, -1).entries()) {
        const at = index % 2 === 0 ? server : other
        expect(await offsetOf(at, file)).toBe(start)
        expect((await patch(at, file, start, bytes.subarray(start, borders[index + 1]))).status).toBe(204)
      }
      await expectWhole(other, file, bytes)
      await server.client.removeUpload(target.id, { uploadToken: target.upload.uploadToken })
      await server.clean()
      expect(await place.stored()).toEqual([])
    })

    test('continues a file at the other one when the store is back', async () => {
      const file = await newFile(server, { size: bytes.length })
      await patch(server, file, 0, bytes.subarray(0, 5_500_000))
      await proxy.down()
      expect((await patch(server, file, 5_500_000, bytes.subarray(5_500_000))).status).toBe(503)
      await proxy.up()
      const offset = await offsetOf(other, file)
      expect((await patch(other, file, offset, bytes.subarray(offset))).status).toBe(204)
      await expectWhole(server, file, bytes)
    })
  })
}
