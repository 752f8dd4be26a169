import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { S3Server } from '../../../../scripts/test-servers/stores/object-store.ts'
import { startRadosgw } from '../../../../scripts/test-servers/stores/radosgw.ts'
import { MissingDataError } from '../../../src/data/backend/backend.ts'
import { s3Backend } from '../../../src/data/s3/open.ts'
import { describeOn } from '../../support/describe-on.ts'
import { startFaultyProxy } from '../../support/servers/faulty-proxy.ts'
import { newBucket, testPatience } from '../../support/stores/s3-buckets.ts'
import { resumableCaller } from '../../support/stores/resumable-caller.ts'
import { bytesOf, collect } from '../../support/bytes.ts'
import { testResumableNetworkStore } from '../suites/resumable-network-suite.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

const partSize = 5 * mebibyte

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
      open: () => s3Backend(options, testPatience),
      proxy,
      stored: async () => [...(await bucket.objects()), ...(await bucket.unfinished())],
      close: () => proxy.close(),
    }
  })

  const begin = async () => {
    const bucket = await newBucket(server)
    const backend = await s3Backend(bucket.options({ partConcurrency: 2 }), testPatience)
    return { bucket, backend, file: await resumableCaller('key', () => backend) }
  }

  test('a finished file is one object, and nothing else', async () => {
    const { bucket, file } = await begin()
    for (const size of [10, partSize, 100, 2 * partSize]) await file.append(bytesOf(size))
    await file.finish()
    expect([...(await bucket.objects()), ...(await bucket.unfinished())]).toEqual(['key'])
  })

  test('many small appends keep no more than the last two ends of the file', async () => {
    const { bucket, file } = await begin()
    for (let count = 0; count < 6; count += 1) await file.append(bytesOf(10))
    expect(await bucket.objects()).toEqual(['key.tail-50', 'key.tail-60'])
  })

  test('a file that a rule of the bucket aborted is lost, and this is reported', async () => {
    const { bucket, file } = await begin()
    await file.append(bytesOf(partSize + 10))
    const Bucket = bucket.name
    const { Uploads = [] } = await bucket.client.send(new ListMultipartUploadsCommand({ Bucket }))
    for (const { Key, UploadId } of Uploads)
      await bucket.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    await expect(file.append(bytesOf(partSize))).rejects.toThrow(MissingDataError)
    await expect(file.finish()).rejects.toThrow(MissingDataError)
    await file.discard()
    expect(await bucket.objects()).toEqual([])
  })

  test.each([1, 2])(
    'continues behind an end that exactly fills %d parts of a smaller size',
    async (count) => {
      const { bucket, backend, file: later } = await begin()
      const wide = await s3Backend(bucket.options({ partSize: 3 * partSize }), testPatience)
      const file = await resumableCaller('key', () => wide)
      const bytes = bytesOf((count + 1) * partSize + 100)
      await file.append(bytes.subarray(0, count * partSize))
      later.goBack(file.lastPart())
      await later.append(bytes.subarray(count * partSize))
      await later.finish()
      expect((await collect(await backend.get('key'))).equals(bytes)).toBe(true)
    },
  )

  test.each([8 * partSize, partSize * 1.2])(
    'continues with parts of another size, %d bytes',
    async (other) => {
      const { bucket, backend, file } = await begin()
      const bytes = bytesOf(5 * partSize)
      await file.append(bytes.subarray(0, 1.9 * partSize))
      const changed = await s3Backend(bucket.options({ partSize: Math.floor(other) }), testPatience)
      const later = await resumableCaller('key', () => changed)
      later.goBack(file.lastPart())
      await later.append(bytes.subarray(1.9 * partSize, 4.8 * partSize))
      file.goBack(later.lastPart())
      await file.append(bytes.subarray(4.8 * partSize))
      await file.finish()
      expect((await collect(await backend.get('key'))).equals(bytes)).toBe(true)
    },
  )
})
