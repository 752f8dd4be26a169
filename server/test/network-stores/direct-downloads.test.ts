import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startRadosgw } from '../../../scripts/test-servers/stores/radosgw.ts'
import type { S3Config } from '../../src/config/s3-config.ts'
import { sendRequest, errorIn } from '../support/clients/send-request.ts'
import { describeOn } from '../support/describe-on.ts'
import { newGcsKeyFile } from '../support/stores/gcs/key-file.ts'
import { startGcsServer } from '../support/stores/gcs/server.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { newBucket } from '../support/stores/s3-buckets.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { startTestServer } from '../support/servers/test-server.ts'
import { testDirectDownloads } from './direct-download-suite.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

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
    // The package of Google does not sign for a time in the past of the machine.
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
      },
    }
  })
})

test('while S3 has no credentials, the service serves the files', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'AWS_WEB_IDENTITY_TOKEN_FILE'])
    vi.stubEnv(name, undefined)
  for (const name of ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE']) vi.stubEnv(name, '/dev/null')
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const dataBackend: S3Config = {
    kind: 's3',
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    pathStyle: true,
    accessKeyID: '',
    secretAccessKey: '',
    bucket: 'files',
    prefix: '',
    sse: '',
    partSize: 5 * mebibyte,
    partConcurrency: 1,
  }
  const keeping = await startTestServer()
  const { path } = await storeUpload(keeping, Buffer.from([0, 1, 2]))
  const giving = await startTestServer({
    directory: keeping.directory,
    clock: keeping.clock,
    config: { dataBackend, directDownloads: true },
  })
  expect(errorIn(await sendRequest(giving.url, path))).toEqual({ status: 503, code: 'unavailable' })
  await giving.close()
  await keeping.close()
})
