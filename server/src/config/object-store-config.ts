import { withoutSlash } from '@svc/contract'
import type { OptionValues } from './options/options.ts'

/** Access to a bucket of Google Cloud Storage. */
export interface GcsConfig {
  readonly kind: 'gcs'
  readonly bucket: string
  readonly prefix: string
  /** Empty: Google's package finds the credentials. */
  readonly keyFile: string
  /** Empty for Google's endpoint. Without a trailing slash. */
  readonly endpoint: string
}

/** Access to a container of OpenStack Swift. */
export interface SwiftConfig {
  readonly kind: 'swift'
  /** Address to sign in at, without a trailing slash: `…/auth/v1.0` for version 1, `…/v3` for version 3. */
  readonly authURL: string
  /** 1: TempAuth of Swift; 3: Keystone. */
  readonly authVersion: '1' | '3'
  readonly userName: string
  readonly apiKey: string
  /** Names in Keystone: domain of user and project, project, and region (empty: the first one). */
  readonly domain: string
  readonly project: string
  readonly region: string
  readonly container: string
  /** Bytes. */
  readonly segmentSize: number
}

export const gcsOf = (values: OptionValues): GcsConfig => ({
  kind: 'gcs',
  bucket: values['DataBackendConfig.Bucket'],
  prefix: values['DataBackendConfig.Prefix'],
  keyFile: values['DataBackendConfig.KeyFile'],
  endpoint: withoutSlash(values['DataBackendConfig.Endpoint']),
})

export const swiftOf = (values: OptionValues): SwiftConfig => ({
  kind: 'swift',
  authURL: withoutSlash(values['DataBackendConfig.AuthURL']),
  authVersion: values['DataBackendConfig.AuthVersion'],
  userName: values['DataBackendConfig.UserName'],
  apiKey: values['DataBackendConfig.ApiKey'],
  domain: values['DataBackendConfig.Domain'],
  project: values['DataBackendConfig.Project'],
  region: values['DataBackendConfig.Region'],
  container: values['DataBackendConfig.Container'],
  segmentSize: values['DataBackendConfig.SegmentSize'],
})
