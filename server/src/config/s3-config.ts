import type { OptionValues } from './options/options.ts'

/** Access to a bucket. */
export interface S3Config {
  readonly kind: 's3'
  /** Address of the service; empty for AWS. */
  readonly endpoint: string
  readonly region: string
  /** Empty: the SDK finds credentials (environment, profiles, role of the machine). */
  readonly accessKeyID: string
  readonly secretAccessKey: string
  readonly bucket: string
  /** Prefix of all object names. */
  readonly prefix: string
  /** The bucket is part of the path, not of the host name. */
  readonly pathStyle: boolean
  /** Bytes, at least 5 MiB. */
  readonly partSize: number
  /** Maximum number of parts of one upload in memory. */
  readonly partConcurrency: number
  /** Server-side encryption by its S3 name; empty for the default of the bucket. */
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
