import type { SwiftConfig } from '../../config/object-store-config.ts'

export type SwiftCredentials = Pick<
  SwiftConfig,
  'authURL' | 'authVersion' | 'userName' | 'apiKey' | 'domain' | 'project' | 'region'
>

/** What a sign-in gives. */
export interface SwiftAccess {
  readonly token: string
  /** Address of the account, without a slash at the end. */
  readonly storageURL: string
  /** Milliseconds that the token lives for; absent when nobody says. */
  readonly lifetime?: number
}
