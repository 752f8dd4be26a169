import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startRadosgw, type RadosgwServer } from '../../../scripts/test-servers/stores/radosgw.ts'
import { gcsBackend } from '../../src/data/gcs/open.ts'
import { s3Backend } from '../../src/data/s3/open.ts'
import { openSwift } from '../support/stores/open-swift.ts'
import { testTuning } from '../data/suites/network-store.ts'
import { begin, offsetOf, newTarget, patch } from '../resumable/tus.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { describeOn } from '../support/describe-on.ts'
import { pageOfProxy, startFaultyProxy } from '../support/servers/faulty-proxy.ts'
import { startGcsServer, unfinishedSessions } from '../support/stores/gcs/server.ts'
import { newBucket, testPatience } from '../support/stores/s3-buckets.ts'
import { testDependencies } from '../support/stores/store-dependencies.ts'
import { randomBytes } from '../support/clients/stored-upload.ts'
import { newContainer } from '../support/stores/swift-containers.ts'
import { allocate } from '../support/servers/shared-servers.ts'
import { startTestServer } from '../support/servers/test-server.ts'
import { testServiceOnStore, type PlaceInStore } from './service-on-store-suite.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

describe('a service on Google Cloud Storage', () => {
  testServiceOnStore(async () => {
    const store = await startGcsServer()
    const proxy = await startFaultyProxy(store.endpoint)
    const options = { bucket: store.bucketName, prefix: 'svc/', keyFile: '', endpoint: proxy.url }
    return {
      proxy,
      config: { kind: 'gcs', ...options },
      open: () => gcsBackend(options, testDependencies(), testTuning),
      tries: testTuning.retryPolicy.tries,
      full: 413,
      border: 8 * mebibyte,
      stored: () => Promise.resolve([...store.bucket.objects.keys(), ...unfinishedSessions(store)]),
      close: async () => {
        await proxy.close()
        await store.close()
      },
    }
  })
})

describe('a service on Google Cloud Storage behind a proxy that responds with success instead', () => {
  test.each([
    ['a file', 'content', /^POST .upload.*media/],
    ['a large file', new Uint8Array(9_000_000), /^PUT .upload/],
  ])('rejects %s as unavailable, and accepts it once the store itself responds', async (_, body, when) => {
    const store = await startGcsServer()
    const proxy = await startFaultyProxy(store.endpoint)
    const options = { bucket: store.bucketName, prefix: 'svc/', keyFile: '', endpoint: proxy.url }
    const data = await gcsBackend(options, testDependencies(), testTuning)
    const server = await startTestServer({ data })
    const put = () => sendRequest(server.url, '/file.bin', { method: 'PUT', body })
    proxy.fail(pageOfProxy, { when })
    expect((await put()).status).toBe(503)
    proxy.heal()
    proxy.fail(pageOfProxy, { when, times: 1 })
    expect((await put()).status).toBe(200)
    await server.close()
    await proxy.close()
    await store.close()
  })
})

describeOn('swift', 'a service on Swift', () => {
  testServiceOnStore(async () => {
    const store = await allocate('swift')
    const proxy = await startFaultyProxy(store.endpoint)
    const container = newContainer(store)
    const authURL = `${proxy.url}${new URL(store.authURL).pathname}`
    const options = container.options({ authURL, segmentSize: mebibyte })
    return {
      proxy,
      config: { kind: 'swift', ...options },
      open: () => openSwift(options, testDependencies(), testTuning),
      tries: testTuning.retryPolicy.tries,
      full: 413,
      border: 8 * mebibyte,
      stored: container.objects,
      close: () => proxy.close(),
    }
  })
})

describeOn('radosgw', 'a service on S3', () => {
  let store: RadosgwServer
  beforeAll(async () => {
    store = await startRadosgw()
  })
  afterAll(() => store.remove())

  const open = async (): Promise<PlaceInStore> => {
    const proxy = await startFaultyProxy(store.endpoint)
    const bucket = await newBucket(store)
    const options = bucket.options({ endpoint: proxy.url, prefix: 'svc/' })
    return {
      proxy,
      config: { kind: 's3', ...options },
      open: () => s3Backend(options, testPatience),
      tries: testPatience.retries.length + 1,
      full: 507,
      border: 5 * mebibyte,
      stored: async () => [...(await bucket.objects()), ...(await bucket.unfinished())],
      close: () => proxy.close(),
    }
  }
  testServiceOnStore(open)

  describe('that is degraded', () => {
    const closing: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close()
    })
    const start = async () => {
      const place = await open()
      closing.push(place.close)
      const server = await startTestServer({ data: await place.open() })
      closing.push(() => server.close())
      const put = (body: string | Uint8Array) => sendRequest(server.url, '/file.bin', { method: 'PUT', body })
      return { ...place, put }
    }

    test('waits when it is slow', async () => {
      const { proxy, put } = await start()
      const held = Promise.withResolvers<undefined>()
      proxy.fail({ kind: 'hold', until: held.promise }, { when: /^PUT/, times: 1 })
      const seen = proxy.seen(/^PUT/)
      const sent = put('small')
      await seen
      held.resolve(undefined)
      expect((await sent).status).toBe(200)
    })

    test.each([
      ['in a directory', undefined],
      ['at Google', startGcsServer],
    ])('neither continues a file that was begun %s, nor prevents its removal', async (_, start) => {
      const google = await start?.()
      if (google !== undefined) closing.push(() => google.close())
      const before = await startTestServer({
        ...(google && {
          data: await gcsBackend(
            { bucket: google.bucketName, prefix: '', keyFile: '', endpoint: google.endpoint },
            testDependencies(),
          ),
        }),
      })
      closing.push(() => before.close())
      const bytes = randomBytes(30_000)
      const target = await newTarget(before)
      const file = await begin(before, target, { size: bytes.length })
      await patch(before, file, 0, bytes.subarray(0, 20_000))

      const place = await open()
      closing.push(place.close)
      const data = await place.open()
      const { directory, clock } = before
      const server = await startTestServer({ directory, clock, data })
      closing.push(() => server.close())
      const rejected = await patch(server, file, 20_000, bytes.subarray(20_000))
      expect(errorIn(rejected)).toEqual({ status: 503, code: 'unavailable' })
      expect(await offsetOf(server, file)).toBe(20_000)
      await server.client.removeUpload(target.id, { uploadToken: target.upload.uploadToken })
      expect(await server.clean()).toMatchObject({ deletedFiles: 1, failedDeletions: 0 })
      expect(await place.stored()).toEqual([])
    })

    test('reports a full store when its quota is used up', async () => {
      const { put, stored } = await start()
      await store.limit(1)
      try {
        expect((await put('small')).status).toBe(507)
        expect((await put(new Uint8Array(11_000_000))).status).toBe(507)
      } finally {
        await store.limit(-1)
      }
      expect(await stored()).toEqual([])
    })
  })
})
