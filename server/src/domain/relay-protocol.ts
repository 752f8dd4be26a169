/** How one instance takes a stream from another: names that both sides use. */

export const relayPath = (key: string): string => `/stream/${key}`
export const relayPathShape = /^\/stream\/([0-9A-Za-z]{1,64})$/

export const relayHeaders = {
  target: 'x-svc-target',
  time: 'x-svc-time',
  nonce: 'x-svc-nonce',
  signature: 'x-svc-signature',
  /** Media type of the file, found from its first bytes. */
  type: 'x-svc-type',
  /** Bytes of the file; empty when nobody knows. */
  size: 'x-svc-size',
} as const

/** The whole body of a request whose downloader has every byte. Any other end of it means that the stream broke. */
export const acknowledgement = 'every byte was handed over'

/** What is answered instead of a stream. */
export const relayStatus = {
  ok: 200,
  forged: 403,
  missing: 404,
  taken: 409,
  otherInstance: 421,
  broken: 502,
} as const

/** A connection on which nothing moves for this long is dead. Milliseconds. */
export const relayIdleMs = 600_000
