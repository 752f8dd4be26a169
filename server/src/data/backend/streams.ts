/** What a stream brings to its downloader: what is known before the first byte, and the bytes as they arrive. */
export interface StreamContent {
  /** Media type, found from the first bytes. */
  readonly type: string
  /** Bytes that will come; null when nobody knows. */
  readonly size: number | null
  /**
   * To be read once, and each chunk belongs to the reader. It ends only after the sender's request has been read
   * well to its end, and fails with whatever broke the stream.
   */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The sender's side of a stream. */
export interface Sending {
  /** From here on `running` tells of it. */
  readonly begun: () => void
  /** Resolves when somebody has come for the file. @throws whatever ended the stream before */
  readonly taken: Promise<void>
  /** Aborted with the reason when the stream breaks. */
  readonly signal: AbortSignal
  /**
   * Hands the content over. Resolves when its last byte has been handed to the downloader's socket.
   * @throws BrokenStreamError when the downloader is gone, or the reason of whoever ended the stream
   */
  readonly give: (content: StreamContent) => Promise<void>
  /** Ends the stream for both sides. Nothing happens when it has ended already. */
  readonly fail: (reason: unknown) => void
}

/** The downloader's side of a stream, which nobody else has. Whoever gets it must end it, one way or the other. */
export interface Receiving {
  /** @throws whatever ended the stream before its first byte */
  readonly content: Promise<StreamContent>
  /** Aborted with the reason when the stream breaks. */
  readonly signal: AbortSignal
  /** The last byte has been handed to the downloader's socket. */
  readonly done: () => void
  /** The downloader is gone. Nothing happens after the end. */
  readonly fail: (reason: unknown) => void
}

/**
 * The store of streams, which stores nothing: `add` waits for a `get`, and `remove` cancels both. It alone decides who
 * gets a stream that waits in this process.
 */
export interface StreamPipe {
  /** @throws StreamTakenError when somebody sends under the key already */
  readonly add: (key: string) => Sending
  /**
   * @throws MissingDataError when nobody sends under the key
   * @throws StreamTakenError when somebody else receives it
   */
  readonly get: (key: string) => Receiving
  /** Ends a stream for both sides. Success when there is none. @param reason what both are told */
  readonly remove: (key: string, reason: unknown) => void
  /** Keys of all streams that have begun, and whether they wait for a downloader still. */
  readonly running: () => readonly { readonly key: string; readonly waiting: boolean }[]
  /** Ends every stream that waits, and takes no more. @param reason what the senders are told */
  readonly close: (reason: unknown) => void
}

/** Streams whose sender is at another instance of the service. */
export interface StreamRelay {
  /**
   * Takes a stream where its sender is, as `get` of a pipe does.
   * @throws UnreachableInstanceError as well
   */
  readonly get: (key: string, at: Instance) => Promise<Receiving>
}

/** A process of the service, and the address under which the others reach it; empty when they cannot. */
export interface Instance {
  readonly id: string
  readonly url: string
}

/** There is a sender, or a downloader, already. */
export class StreamTakenError extends Error {
  override readonly name = 'StreamTakenError'
}

/** One side of a stream went away before its end. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError'
}

/** The process that has the sender cannot be reached. */
export class UnreachableInstanceError extends Error {
  override readonly name = 'UnreachableInstanceError'
}
