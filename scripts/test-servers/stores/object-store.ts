/** Access to an object store by the interface of S3. */
export interface S3Account {
  /** Address without a trailing slash. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyID: string
  readonly secretAccessKey: string
}

/** An object store with an S3 interface. */
export interface S3Server extends S3Account {
  /** Stops the server and deletes its data. */
  remove(): Promise<void>
}

/** Credentials for version 1 of Swift's authentication. */
export interface SwiftLogin {
  readonly authURL: string
  readonly user: string
  readonly key: string
}
