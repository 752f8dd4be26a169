import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { gcsBackend } from '../../src/data/gcs/open.ts'
import { check, newDirectory, startHere } from '../commands/check/run-check.ts'
import { describeOn } from '../support/describe-on.ts'
import { errorIn, sendRequest } from '../support/clients/send-request.ts'
import { fileStatuses } from '../support/servers/server-data.ts'
import { storeUpload } from '../support/clients/stored-upload.ts'
import { allocate } from '../support/servers/shared-servers.ts'
import { startFaultyProxy } from '../support/servers/faulty-proxy.ts'
import { startTestServer, type TestServer } from '../support/servers/test-server.ts'
import { startGcsServer } from '../support/stores/gcs/server.ts'
import { newBucket, testPatience } from '../support/stores/s3-buckets.ts'
import { testDependencies } from '../support/stores/store-dependencies.ts'
import { newContainer } from '../support/stores/swift-containers.ts'
import { s3Backend } from '../../src/data/s3/open.ts'
import { DeleteBucketCommand, DeleteObjectCommand } from '@aws-sdk/client-s3'
import { startRadosgw } from '../../../scripts/test-servers/stores/radosgw.ts'
import { testTuning } from '../data/suites/network-store.ts'

beforeEach(newDirectory)

const unavailable = { status: 503, code: 'unavailable' }

/** Every request for bytes is refused for now, and no file counts as gone. */
async function expectOutage(server: TestServer, path: string): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    expect(errorIn(await sendRequest(server.url, path))).toEqual(unavailable)
  const put = await sendRequest(server.url, '/x.txt', { method: 'PUT', body: 'x' })
  expect(put.status).toBe(503)
  server.clock.advance(1_000)
  expect((await sendRequest(server.url, '/ready')).status).toBe(503)
  expect(fileStatuses(server)).toContain('uploaded')
}

describeOn('swift', 'a missing container', () => {
  const newStore = async () => {
    const container = newContainer(await allocate('swift'))
    const options = container.options()
    const environment = {
      DATA_BACKEND: 'swift',
      DATA_BACKEND_CONFIG_AUTH_URL: options.authURL,
      DATA_BACKEND_CONFIG_AUTH_VERSION: '1',
      DATA_BACKEND_CONFIG_USER_NAME: options.userName,
      DATA_BACKEND_CONFIG_API_KEY: options.apiKey,
      DATA_BACKEND_CONFIG_CONTAINER: options.container,
      MAX_FILE_SIZE_STR: '1GB',
    }
    const checkStore = async () => {
      const { status, about } = await check(environment)
      return [status, ...about('data store')]
    }
    return { container, config: { dataBackend: { kind: 'swift', ...options } } as const, checkStore }
  }

  test('is created by the first start of the server, and not by svcd check', async () => {
    const { container, config, checkStore } = await newStore()
    const created = expect.stringMatching(
      /^ok the container container-\d+ does not exist \(DataBackendConfig.Container\): the first start creates it$/,
    ) as unknown
    expect(await checkStore()).toEqual([0, created])
    await expect(container.objects()).rejects.toThrow('404')
    const server = await startHere({ config })
    await storeUpload(server)
    expect(await checkStore()).toEqual([0, 'ok bytes can be written, read and deleted'])
    expect(await container.objects()).toHaveLength(1)
  })

  test('whose files are in the database is an outage, also for a server that starts, and is not created', async () => {
    const { container, config, checkStore } = await newStore()
    const server = await startHere({ config })
    const { path } = await storeUpload(server, 'content')
    await container.drop()
    await expectOutage(server, path)
    await server.close()
    const other = await startHere({ config })
    await expectOutage(other, path)
    expect(await checkStore()).toEqual([
      1,
      expect.stringMatching(
        /^fail the container container-\d+ .* but the database has files: is its name right/,
      ),
    ])
    await expect(container.objects()).rejects.toThrow('404')
  })
})

describeOn('radosgw', 'a missing bucket of S3', () => {
  test('is an outage', async () => {
    const store = await startRadosgw()
    onTestFinished(() => store.remove())
    const bucket = await newBucket(store)
    const server = await startTestServer({ data: await s3Backend(bucket.options(), testPatience) })
    onTestFinished(() => server.close())
    const { path } = await storeUpload(server, 'content')
    for (const Key of await bucket.objects())
      await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key }))
    await bucket.client.send(new DeleteBucketCommand({ Bucket: bucket.name }))
    await expectOutage(server, path)
  })
})

describe('a missing bucket of Google Cloud Storage', () => {
  test('is an outage, and does not open', async () => {
    const store = await startGcsServer()
    const proxy = await startFaultyProxy(store.endpoint)
    const options = { bucket: store.bucketName, prefix: 'svc/', keyFile: '', endpoint: proxy.url }
    const open = () => gcsBackend(options, testDependencies(), testTuning)
    const server = await startTestServer({ data: await open() })
    const { path } = await storeUpload(server, 'content')
    proxy.fail({ kind: 'respond', status: 404 }, { when: /svc-test/ })
    await expectOutage(server, path)
    await expect(open()).rejects.toThrow('the bucket svc-test does not exist (DataBackendConfig.Bucket)')
    await server.close()
    await proxy.close()
    await store.close()
  })
})
