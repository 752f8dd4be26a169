/** The paths, headers and statuses with which one instance takes a stream from another. */

export const relayPath = (key: string): string => `/stream/${key}`
export const relayPathPattern = /^\/stream\/([0-9A-Za-z]{1,64})$/

export const relayHeaders = {
  target: 'x-svc-target',
  time: 'x-svc-time',
  nonce: 'x-svc-nonce',
  signature: 'x-svc-signature',
  /** The media type of the file, detected from its first bytes. */
  type: 'x-svc-type',
  /** The bytes of the file; empty when unknown. */
  size: 'x-svc-size',
} as const

/**
 * The request body that confirms that the recipient has every byte. Any other end of the body means that the stream
 * failed.
 */
export const acknowledgement = 'every byte was handed over'

/** The statuses of a response without a stream. */
export const relayStatus = {
  ok: 200,
  forged: 403,
  missing: 404,
  taken: 409,
  otherInstance: 421,
  broken: 502,
} as const

/** A connection without traffic for this many milliseconds is dead. */
export const relayIdleMs = 600_000
