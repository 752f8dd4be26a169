/** What the recipient of a stream gets: the metadata that is known before the first byte, and the bytes as they arrive. */
export interface StreamContent {
  /** Media type, detected from the first bytes. */
  readonly type: string
  /** Total bytes; null when unknown. */
  readonly size: number | null
  /**
   * To be read once; the reader owns each chunk. It ends only after the sender's request was read completely, and fails
   * with the error that broke the stream.
   */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The sender's side of a stream. */
export interface StreamSender {
  /** From here on, `active` includes the stream. */
  readonly started: () => void
  /**
   * Resolves when a recipient has connected.
   * @throws the reason that ended the stream before
   */
  readonly accepted: Promise<void>
  /** Aborted with the reason when the stream breaks. */
  readonly signal: AbortSignal
  /**
   * Passes the content to the recipient. Resolves when its last byte was written to the recipient's socket.
   * @throws BrokenStreamError when the recipient disconnected, or the reason that ended the stream
   */
  readonly send: (content: StreamContent) => Promise<void>
  /** Ends the stream for both sides. Nothing happens when it has ended already. */
  readonly fail: (reason: unknown) => void
}

/** The recipient's side of a stream, which has one recipient. The caller must call `complete` or `fail`. */
export interface StreamReceiver {
  /** @throws the reason that ended the stream before its first byte */
  readonly content: Promise<StreamContent>
  /** Aborted with the reason when the stream breaks. */
  readonly signal: AbortSignal
  /** Reports the number of bytes that were written to the recipient's socket so far. */
  readonly progress: (bytes: number) => void
  /** Reports that the last byte was written to the recipient's socket. */
  readonly complete: () => void
  /** Reports that the recipient disconnected. Nothing happens after the end. */
  readonly fail: (reason: unknown) => void
}

/**
 * Connects senders with recipients in this instance: `add` waits for a `get`, and `remove` cancels both. Only one recipient
 * gets a stream.
 */
export interface StreamPipe {
  /** @throws StreamTakenError when the key has a sender already */
  readonly add: (key: string) => StreamSender
  /**
   * @throws MissingDataError when the key has no sender
   * @throws StreamTakenError when the key has a recipient already
   */
  readonly get: (key: string) => StreamReceiver
  /**
   * Ends a stream for both sides. Succeeds when there is none.
   * @param reason the error for both sides
   */
  readonly remove: (key: string, reason: unknown) => void
  /** Keys of all streams that have started, and whether they still wait for a recipient. */
  readonly active: () => readonly { readonly key: string; readonly waiting: boolean }[]
  /** The bytes that the recipient of a stream has; undefined while it has none. */
  readonly delivered: (key: string) => number | undefined
  /**
   * Ends every stream that waits, and rejects new ones.
   * @param reason the error for the senders
   */
  readonly close: (reason: unknown) => void
}

/** Streams whose sender is connected to another instance. */
export interface StreamRelay {
  /**
   * Receives a stream from the instance of its sender, as `get` of a pipe does.
   * @throws UnreachableInstanceError as well
   */
  readonly get: (key: string, at: Instance) => Promise<StreamReceiver>
}

/** An instance, and the address under which the others reach it; empty when they cannot. */
export interface Instance {
  readonly id: string
  readonly url: string
}

/** The stream has a sender, or a recipient, already. */
export class StreamTakenError extends Error {
  override readonly name = 'StreamTakenError'
}

/** One side of a stream disconnected before its end. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError'
}

/** The instance of the sender cannot be reached. */
export class UnreachableInstanceError extends Error {
  override readonly name = 'UnreachableInstanceError'
}
