import { afterAll, beforeAll } from 'vitest'
import { startRadosgw } from '../../../../scripts/test-servers/stores/radosgw.ts'
import type { S3Account } from '../../../../scripts/test-servers/stores/object-store.ts'
import { defaultTimeouts } from '../../../src/data/s3/client/client.ts'
import { s3Backend } from '../../../src/data/s3/open.ts'
import { describeOn } from '../../support/describe-on.ts'
import { newBucket } from '../../support/stores/s3-buckets.ts'
import { allocate } from '../../support/servers/shared-servers.ts'
import { testDataBackend } from '../suites/contract-suite.ts'
import { testResumableWrites } from '../suites/resumable-suite.ts'
import { testSharedMemory } from '../suites/shared-memory-suite.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

interface Started {
  readonly account: S3Account
  remove(): Promise<void>
}

const servers = {
  radosgw: async (): Promise<Started> => {
    const server = await startRadosgw()
    return { account: server, remove: () => server.remove() }
  },
  swift: async (): Promise<Started> => ({
    account: await allocate('swift'),
    remove: () => Promise.resolve(),
  }),
}

for (const [kind, start] of Object.entries(servers)) {
  describeOn(kind as keyof typeof servers, 'S3', () => {
    let server: Started
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.remove())

    const open = async () => {
      const bucket = await newBucket(server.account)
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
    testSharedMemory('S3', async () => {
      const bucket = await newBucket(server.account)
      return s3Backend(bucket.options({ partSize }), defaultTimeouts, 2 * partSize)
    })
    testResumableWrites('S3', { borders: [partSize], commitBytes: 2 * partSize, runs: 6 }, async () => {
      const bucket = await newBucket(server.account)
      return {
        open: () => s3Backend(bucket.options({ partSize, partConcurrency: 2 })),
        stored: async () => [...(await bucket.objects()), ...(await bucket.unfinished())],
        close: () => Promise.resolve(),
      }
    })
  })
}
