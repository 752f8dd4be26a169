/**
 * Messages between the page and its service worker about ranges of a decrypted file for a player. The worker keeps no state,
 * because browsers end idle workers and a film may be paused for an hour.
 */

/** From the page, with a port for the response: the client id of the page, a string. */
export interface ClientIdRequest {
  readonly kind: 'whoAmI'
}

/** From the worker, with a port for messages as of a download: a player requests bytes of a content. */
export interface RangeRequest {
  readonly kind: 'wanted'
  readonly id: string
  /** First byte. */
  readonly start: number
  /** The byte after the last; undefined means up to the end. */
  readonly end: number | undefined
}

/** From the page, the first message on that port: the range that it sends. */
export interface ContentHead {
  /** Bytes of the whole content. */
  readonly size: number
  /** The byte after the last. */
  readonly end: number
}
