/** From a tab to the worker that all tabs share: the uploads that its pages follow. */
export interface Watched {
  readonly baseURL: string
  readonly uploadIDs: readonly string[]
}

/** To the tabs. */
export interface Report {
  /** The uploads whose changes an open stream reports. */
  readonly covered: readonly string[]
  /** The uploads that may have changed. */
  readonly changed: readonly string[]
}
