import { describe } from 'vitest'
import { startRadosgw } from '../../../scripts/test-servers/radosgw.ts'
import { describeOn } from '../support/describe-on.ts'
import { newGcsKeyFile } from '../support/gcs-key-file.ts'
import { startGcsServer } from '../support/gcs-server.ts'
import { manualClock } from '../support/manual-clock.ts'
import { newBucket } from '../support/s3-buckets.ts'
import { testDirectDownloads } from './direct-download-suite.ts'

describeOn('radosgw', 'direct downloads from S3', () => {
  testDirectDownloads(async () => {
    const store = await startRadosgw()
    const bucket = await newBucket(store)
    return {
      dataBackend: { kind: 's3', ...bucket.options() },
      endpoint: store.endpoint,
      clock: manualClock(),
      cacheControl: 'private, no-cache',
      expires: 'X-Amz-Expires',
      close: () => store.remove(),
    }
  })
})

describe('direct downloads from Google Cloud Storage', () => {
  testDirectDownloads(async () => {
    // Google's package refuses to sign for a time that the machine has behind it.
    const clock = manualClock(Date.UTC(2100, 0, 1))
    const key = await newGcsKeyFile()
    const server = await startGcsServer({ publicKey: key.publicKey, clock })
    const { endpoint, bucketName } = server
    return {
      dataBackend: { kind: 'gcs', bucket: bucketName, prefix: 'svc/', keyFile: key.path, endpoint },
      endpoint,
      clock,
      cacheControl: 'private, max-age=0',
      expires: 'X-Goog-Expires',
      close: async () => {
        await server.close()
        await key.remove()
      },
    }
  })
})
