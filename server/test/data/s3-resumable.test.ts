import { afterAll, beforeAll } from 'vitest'
import type { S3Server } from '../../../scripts/test-servers/object-store.ts'
import { startRadosgw } from '../../../scripts/test-servers/radosgw.ts'
import { s3Backend } from '../../src/data/s3/open.ts'
import { describeOn } from '../support/describe-on.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { newBucket, testPatience } from '../support/s3-buckets.ts'
import { testResumableNetworkStore } from './resumable-network-suite.ts'

const partSize = 5 * 1024 * 1024

describeOn('radosgw', 'S3', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startRadosgw()
  })
  afterAll(() => server.remove())

  testResumableNetworkStore('S3', { partSize, isWrite: /^PUT / }, async () => {
    const proxy = await startFaultyProxy(server.endpoint)
    const bucket = await newBucket(server)
    const options = bucket.options({ endpoint: proxy.url, partConcurrency: 2 })
    return {
      backend: await s3Backend(options, testPatience),
      proxy,
      stored: async () => [...(await bucket.objects()), ...(await bucket.unfinished())],
      close: () => proxy.close(),
    }
  })
})
