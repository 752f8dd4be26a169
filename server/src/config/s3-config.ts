import type { OptionValues } from './options.ts'

/** A bucket, and how to get at it. Sizes are bytes. */
export interface S3Config {
  readonly kind: 's3'
  /** Empty for Amazon S3. */
  readonly endpoint: string
  readonly region: string
  /** Empty leaves it to the SDK to find one. */
  readonly accessKeyID: string
  readonly secretAccessKey: string
  readonly bucket: string
  readonly prefix: string
  readonly pathStyle: boolean
  /** At least 5 MiB. */
  readonly partSize: number
  readonly partConcurrency: number
  /** Empty leaves it to the bucket. */
  readonly sse: '' | 'AES256' | 'aws:kms'
}

export function s3Of(values: OptionValues): S3Config {
  const sse = values['DataBackendConfig.SSE']
  return {
    kind: 's3',
    endpoint: values['DataBackendConfig.Endpoint'],
    region: values['DataBackendConfig.Region'] || 'us-east-1',
    accessKeyID: values['DataBackendConfig.AccessKeyID'],
    secretAccessKey: values['DataBackendConfig.SecretAccessKey'],
    bucket: values['DataBackendConfig.Bucket'],
    prefix: values['DataBackendConfig.Prefix'],
    pathStyle: values['DataBackendConfig.PathStyle'],
    partSize: values['DataBackendConfig.PartSize'],
    partConcurrency: values['DataBackendConfig.PartConcurrency'],
    sse: sse === 'none' ? '' : sse,
  }
}
