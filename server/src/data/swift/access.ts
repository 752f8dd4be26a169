import type { SwiftConfig } from '../../config/object-store-config.ts'

export type SwiftCredentials = Pick<
  SwiftConfig,
  'authURL' | 'authVersion' | 'userName' | 'apiKey' | 'domain' | 'project' | 'region'
>

/** The result of a sign-in. */
export interface SwiftAccess {
  readonly token: string
  /** Address of the account, without a slash at the end. */
  readonly storageURL: string
  /** Lifetime of the token in milliseconds; absent when unknown. */
  readonly lifetime?: number
}
