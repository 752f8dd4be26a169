export interface SwiftCredentials {
  /** Where to sign in: `…/auth/v1.0` for version 1, `…/v3` for version 3. */
  readonly authURL: string
  /** 1: Swift's own; 3: Keystone. */
  readonly authVersion: '1' | '3'
  readonly userName: string
  readonly apiKey: string
  /** Keystone's names of the domain of user and project, of the project, and of the region; empty: the first one. */
  readonly domain: string
  readonly project: string
  readonly region: string
}

/** What a sign-in gives. */
export interface SwiftAccess {
  readonly token: string
  /** Address of the account, without a slash at the end. */
  readonly storageURL: string
  /** Milliseconds that the token lives for; absent when nobody says. */
  readonly lifetime?: number
}
