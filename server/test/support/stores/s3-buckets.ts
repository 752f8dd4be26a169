import { randomInt } from 'node:crypto'
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import type { S3Account } from '../../../../scripts/test-servers/stores/object-store.ts'
import type { S3BackendOptions, S3Timeouts } from '../../../src/data/s3/client/client.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

/** A new bucket, accessed directly. */
export interface TestBucket {
  /** Its configuration. @param endpoint another address of the store, such as that of a proxy */
  readonly options: (more?: Partial<S3BackendOptions>) => S3BackendOptions
  /** Names of all objects. */
  readonly objects: () => Promise<readonly string[]>
  /** Names of all unfinished files. */
  readonly unfinished: () => Promise<readonly string[]>
  readonly client: S3Client
  readonly name: string
}

export async function newBucket(server: S3Account): Promise<TestBucket> {
  const { endpoint, region, accessKeyID, secretAccessKey } = server
  const name = `bucket-${String(randomInt(2 ** 47))}`
  const client = new S3Client({
    ...{ endpoint, region, forcePathStyle: true },
    credentials: { accessKeyId: accessKeyID, secretAccessKey },
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
  })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  return {
    options: (more) => ({
      ...{ endpoint, region, accessKeyID, secretAccessKey, bucket: name, prefix: '', pathStyle: true },
      ...{ partSize: 5 * mebibyte, partConcurrency: 4, sse: '' },
      ...more,
    }),
    async objects() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }))
      return Contents.map(({ Key = '' }) => Key)
    },
    async unfinished() {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: name }))
      return Uploads.map(({ Key = '' }) => Key)
    },
    client,
    name,
  }
}

/** Failures are retried at once. A busy machine does not reach the timeouts. */
export const testPatience: S3Timeouts = { connect: 60_000, idle: 60_000, retries: [1, 1, 1, 1] }

/** For tests whose subject is the timeout. */
export const shortIdle = 1_000
