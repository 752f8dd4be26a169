import type { OptionValues } from './options/options.ts'

/** A bucket of Google Cloud Storage, and how to get at it. */
export interface GcsConfig {
  readonly kind: 'gcs'
  readonly bucket: string
  readonly prefix: string
  /** Empty leaves it to Google's package to find credentials. */
  readonly keyFile: string
  /** Empty for Google's. Without a slash at the end. */
  readonly endpoint: string
}

/** A container of OpenStack Swift, and how to get at it. */
export interface SwiftConfig {
  readonly kind: 'swift'
  /** Where to sign in, without a slash at the end: `…/auth/v1.0` for version 1, `…/v3` for version 3. */
  readonly authURL: string
  /** 1: Swift's own; 3: Keystone. */
  readonly authVersion: '1' | '3'
  readonly userName: string
  readonly apiKey: string
  /** Keystone's names of the domain of user and project, of the project, and of the region; empty: the first one. */
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

const withoutSlash = (url: string) => url.replace(/\/+$/, '')
