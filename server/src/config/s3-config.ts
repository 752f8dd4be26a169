import type { OptionValues } from './options/options.ts'

/** A bucket, and how to get at it. */
export interface S3Config {
  readonly kind: 's3'
  /** Address of the service; empty for that of AWS. */
  readonly endpoint: string
  readonly region: string
  /** Empty: the SDK looks where it always does (environment, profiles, the machine's role). */
  readonly accessKeyID: string
  readonly secretAccessKey: string
  readonly bucket: string
  /** What all names of ours begin with. */
  readonly prefix: string
  /** The bucket is part of the path, not of the host's name. */
  readonly pathStyle: boolean
  /** Bytes, at least 5 MiB. */
  readonly partSize: number
  /** Parts of one upload at most that are held in memory. */
  readonly partConcurrency: number
  /** Encryption by the store, named as S3 does; empty leaves it to the bucket. */
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
