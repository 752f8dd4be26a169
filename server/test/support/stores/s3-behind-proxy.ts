import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { S3Server } from '../../../../scripts/test-servers/stores/object-store.ts'
import { startRadosgw } from '../../../../scripts/test-servers/stores/radosgw.ts'
import type { DataBackend } from '../../../src/data/backend/backend.ts'
import type { S3Timeouts } from '../../../src/data/s3/client/client.ts'
import { s3Backend } from '../../../src/data/s3/open.ts'
import { bytesOf, collect, inChunks } from '../bytes.ts'
import { startFaultyProxy, type FaultyProxy } from '../servers/faulty-proxy.ts'
import { newBucket, shortIdle, testPatience, type TestBucket } from './s3-buckets.ts'
import { never } from '../signals.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

export const partSize = 5 * mebibyte

/** Files of one part, and of three. */
export const small = bytesOf(1_000)
export const large = bytesOf(2 * partSize + 1_000)

/** The kind of a request, for any bucket. */
export const requests = {
  put: /^PUT [^?]+\?x-id=PutObject$/,
  begin: /^POST [^?]+\?uploads/,
  part: /^PUT .*partNumber=/,
  complete: /^POST .*uploadId=/,
  get: /^GET [^?]+\?x-id=GetObject$/,
  ping: /^HEAD /,
}

/** Each test has a separate bucket and backend, and a faulty proxy between the two. */
export interface S3BehindProxy {
  readonly proxy: FaultyProxy
  readonly bucket: TestBucket
  readonly backend: DataBackend
  /** Replaces the backend by one with a short timeout. */
  readonly withShortIdle: (retries?: readonly number[]) => Promise<void>
  readonly add: (bytes: Uint8Array) => Promise<void>
  readonly read: () => Promise<Buffer>
  /** Names of everything in the bucket, finished or not. */
  readonly stored: () => Promise<readonly string[]>
}

export function s3BehindProxy(): S3BehindProxy {
  let server: S3Server
  let proxy: FaultyProxy
  let bucket: TestBucket
  let backend: DataBackend

  const open = (timeouts: S3Timeouts) => s3Backend(bucket.options({ endpoint: proxy.url }), timeouts)

  beforeAll(async () => {
    server = await startRadosgw()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    proxy = await startFaultyProxy(server.endpoint)
    bucket = await newBucket(server)
    backend = await open(testPatience)
  })
  afterEach(() => proxy.close())
  return {
    get proxy() {
      return proxy
    },
    get bucket() {
      return bucket
    },
    get backend() {
      return backend
    },
    async withShortIdle(retries = testPatience.retries) {
      backend = await open({ ...testPatience, idle: shortIdle, retries })
    },
    add: (bytes) => backend.add('key', inChunks(bytes, mebibyte), never),
    read: async () => collect(await backend.get('key')),
    stored: async () => [...(await bucket.objects()), ...(await bucket.unfinished())],
  }
}
