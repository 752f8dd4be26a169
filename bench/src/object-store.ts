import { connectS3, defaultTimeouts, type S3BackendOptions } from '../../server/src/data/s3/client/client.ts'

interface Store {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyID: string
  readonly secretAccessKey: string
}

/** Makes an empty bucket. */
export async function newBucket({ endpoint, region, accessKeyID, secretAccessKey }: Store) {
  const options: S3BackendOptions = {
    endpoint,
    region,
    accessKeyID,
    secretAccessKey,
    bucket: 'bench',
    prefix: '',
    pathStyle: true,
    partSize: 16 * 1024 * 1024,
    partConcurrency: 4,
    sse: '',
  }
  const { sdk, writeClient } = await connectS3(options, defaultTimeouts)
  await writeClient.send(new sdk.CreateBucketCommand({ Bucket: options.bucket }))
  return options
}

/** `SVCD_*` variables that point a server to it. */
export const storeSettings = (options: S3BackendOptions) => ({
  SVCD_DATA_BACKEND: 's3',
  SVCD_DATA_BACKEND_CONFIG: JSON.stringify({
    Endpoint: options.endpoint,
    Region: options.region,
    AccessKeyID: options.accessKeyID,
    SecretAccessKey: options.secretAccessKey,
    Bucket: options.bucket,
    PathStyle: true,
  }),
})
