import { afterAll, beforeAll } from 'vitest'
import type { S3Server } from '../../../scripts/test-servers/stores/object-store.ts'
import { startRadosgw } from '../../../scripts/test-servers/stores/radosgw.ts'
import type { DataBackendConfig } from '../../src/config/config.ts'
import { openDataBackend } from '../../src/data/open.ts'
import { describeOn } from '../support/describe-on.ts'
import { startGcsServer } from '../support/stores/gcs/server.ts'
import { newBucket } from '../support/stores/s3-buckets.ts'
import { testDependencies } from '../support/stores/store-dependencies.ts'
import { newContainer } from '../support/stores/swift-containers.ts'
import { allocate } from '../support/servers/shared-servers.ts'
import { startTestServer } from '../support/servers/test-server.ts'
import { testVerification, type VerifiedService } from './verify-suite.ts'

async function serviceOn(dataBackend: DataBackendConfig): Promise<VerifiedService> {
  const server = await startTestServer({ config: { dataBackend } })
  const { clock, random } = testDependencies()
  return {
    server,
    backend: await openDataBackend(dataBackend, clock, random),
    close: () => server.close(),
  }
}

testVerification('Google Cloud Storage', async () => {
  const gcs = await startGcsServer()
  const { endpoint, bucketName: bucket } = gcs
  const service = await serviceOn({ kind: 'gcs', bucket, prefix: 'svc/', keyFile: '', endpoint })
  return {
    ...service,
    close: async () => {
      await service.close()
      await gcs.close()
    },
  }
})

describeOn('radosgw', 'a store', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startRadosgw()
  })
  afterAll(() => server.remove())

  testVerification('S3', async () => {
    const bucket = await newBucket(server)
    return serviceOn({ kind: 's3', ...bucket.options({ prefix: 'svc/' }) })
  })
})

describeOn('swift', 'a store', () => {
  testVerification('Swift', async () => {
    const container = newContainer(await allocate('swift'))
    return serviceOn({ kind: 'swift', ...container.options() })
  })
})
