import { afterAll, beforeAll } from 'vitest'
import { startRadosgw } from '../../../../scripts/test-servers/radosgw.ts'
import type { S3Server } from '../../../../scripts/test-servers/object-store.ts'
import { startSwift } from '../../../../scripts/test-servers/swift.ts'
import { s3Backend } from '../../../src/data/s3/open.ts'
import { describeOn } from '../../support/describe-on.ts'
import { newBucket } from '../../support/stores/s3-buckets.ts'
import { testDataBackend } from '../suites/contract-suite.ts'
import { testResumableWrites } from '../suites/resumable-suite.ts'
import { mebibyte } from '../../support/sizes.ts'

const servers = { radosgw: startRadosgw, swift: startSwift }

for (const [kind, start] of Object.entries(servers)) {
  describeOn(kind as keyof typeof servers, 'S3', () => {
    let server: S3Server
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.remove())

    const open = async () => {
      const bucket = await newBucket(server)
      return {
        backend: await s3Backend(bucket.options()),
        stored: async () => [...(await bucket.objects()), ...(await bucket.unfinished())],
        close: () => Promise.resolve(),
      }
    }
    testDataBackend('S3', open, { removesMany: true })

    // The suite above covers the parts of both; the slower store runs only a part of it.
    if (kind !== 'radosgw') return
    const partSize = 5 * mebibyte
    testResumableWrites('S3', { borders: [partSize], commitBytes: 2 * partSize, runs: 6 }, async () => {
      const bucket = await newBucket(server)
      return {
        open: () => s3Backend(bucket.options({ partSize, partConcurrency: 2 })),
        stored: async () => [...(await bucket.objects()), ...(await bucket.unfinished())],
        close: () => Promise.resolve(),
      }
    })
  })
}
