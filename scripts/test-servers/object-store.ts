/** A server of objects that speaks S3. */
export interface S3Server {
  /** Address without a slash at the end. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyID: string
  readonly secretAccessKey: string
  /** Ends it for ever, with all that it holds. */
  remove(): Promise<void>
}

/** How a client of the first version of Swift's authentication signs in. */
export interface SwiftLogin {
  readonly authURL: string
  readonly user: string
  readonly key: string
}
