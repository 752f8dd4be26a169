/**
 * What the page and its service worker say to each other so that a player gets a decrypted file in the ranges that it asks
 * for. The worker remembers nothing of it: browsers end idle workers, and a film may be paused for an hour.
 */

/** From the page, with a port for the answer: the id that its browser knows it by, a string. */
export interface ClientIdRequest {
  readonly kind: 'whoAmI'
}

/** From the worker, with a port that then speaks as that of a download: a player wants bytes of a content. */
export interface RangeRequest {
  readonly kind: 'wanted'
  readonly id: string
  /** First byte. */
  readonly start: number
  /** The one after the last; undefined means all that there are. */
  readonly end: number | undefined
}

/** From the page, the first on that port: what it is going to give. */
export interface ContentHead {
  /** Bytes of the whole content. */
  readonly size: number
  /** The byte after the last that comes. */
  readonly end: number
}
