/** The result of an attempt to send a message. */
export interface Outcome {
  readonly isDelivered: boolean
  /** No further attempt follows: the target is gone. */
  readonly isFinal: boolean
  /** The status of the response; null without a response. */
  readonly status: number | null
  /** Why the attempt failed; null if it succeeded. */
  readonly error: string | null
  /** The target did not respond in time, or its response did not end in time. */
  readonly isTimeout: boolean
  /** The value of a header `Retry-After`. */
  readonly retryAfter?: string | undefined
}

/** A failure after which no further attempt follows. */
export const givenUp = (error: string): Outcome => ({
  isDelivered: false,
  isFinal: true,
  status: null,
  error,
  isTimeout: false,
})
