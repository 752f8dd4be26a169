import type { Inventory } from './inventory.ts'

/** First and last byte, both included, counted from 0 (as in a `Range` header). */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Random access to stored bytes, into memory that the caller owns: the fastest way to read. */
export interface RandomReader {
  /**
   * Reads up to `into.length` bytes from `position` on.
   * @returns how many bytes were read; 0 only at the end
   */
  read(into: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

/**
 * A store for the bytes of files. Keys are random ids of the service, never names of users.
 * A backend knows nothing of limits, hashes or status.
 */
export interface DataBackend {
  /**
   * Stores all chunks of a source under a key that was never used before.
   * The memory of a chunk is valid only until the next one is requested.
   * When it rejects (the source or the store failed, the signal was aborted), nothing can be read under the key, and
   * partial data is removed.
   * @param sender identifies who sends the bytes, to a backend with memory that uploads share; null for a sender without limits
   * @throws NoSpaceError when the store is full, TooLargeForStoreError, StoreUnavailableError
   */
  readonly add: (
    key: string,
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    sender?: string | null,
  ) => Promise<void>
  /**
   * The stored bytes, or one range of them; an empty range ends before it starts. The reader owns the memory of each
   * chunk. A reader that stops early releases all resources.
   * @throws MissingDataError when nothing is stored under the key, StoreUnavailableError
   */
  readonly get: (key: string, range?: ByteRange) => Promise<AsyncIterable<Uint8Array>>
  /** Removes all data of a key, unfinished writes included. Succeeds when there is none. */
  readonly remove: (key: string) => Promise<void>
  /**
   * Optional: removes the data of several keys with fewer requests or syncs than one by one. Every key must be that of a
   * complete file: it does not search for unfinished writes.
   * @returns the errors of the keys whose data could not be removed
   */
  readonly removeMany?: (keys: readonly string[]) => Promise<ReadonlyMap<string, unknown>>
  /**
   * Optional: random access without a stream between.
   * @throws MissingDataError
   */
  readonly open?: (key: string) => Promise<RandomReader>
  /** Optional: bytes that can still be stored. */
  readonly freeSpace?: () => Promise<number>
  /**
   * Optional: resolves when the directory, bucket or container exists and accepts our credentials. `GET /ready` calls it
   * every few seconds, so it makes one cheap request, without retries, and reads, writes or lists no key.
   * @throws when the store cannot be reached, does not have the container, or denies access
   */
  readonly ping?: (signal: AbortSignal) => Promise<void>
  /**
   * Optional: creates the directory or container if it does not exist. While it does not exist, `ping` rejects with
   * MissingContainerError, and other calls with that or with another StoreUnavailableError.
   * @throws StoreUnavailableError
   */
  readonly createMissing?: () => Promise<void>
  /** Optional: files that arrive in parts, over several connections, processes and machines. */
  readonly resumable?: ResumableWrites
  /** Optional: a listing of what is stored. */
  readonly inventory?: Inventory
  /**
   * Optional: a URL at which the store itself serves the bytes to anyone who has it, for a limited time. It does not check
   * whether anything is stored.
   * @throws StoreUnavailableError
   */
  readonly presignedURL?: (key: string, options: PresignedURLOptions) => Promise<string>
  /** Optional: why a backend that could presign URLs cannot with these settings. */
  readonly noPresignedURL?: string
}

/** How much of an unfinished file is durably stored. The caller keeps it and passes it to every call. */
export interface ResumePoint {
  /** The number of stored bytes. */
  readonly offset: number
  /** The state that the backend needs to resume, at most 32 KiB of text in a format of the backend. */
  readonly session: string
}

export interface AppendOptions {
  /** Stops the append. Bytes that were not committed may be lost. */
  readonly signal: AbortSignal
  /**
   * Called at intervals and at the end, one call at a time, with the durably stored progress, from which an upload resumes
   * after a crash. When it rejects, `append` stops writing and rejects with its error. It is not called after the signal
   * is aborted.
   */
  readonly commit: (stored: ResumePoint) => Promise<void>
  /** See `DataBackend.add`. */
  readonly sender?: string | null
}

/**
 * A file that arrives in parts. Nothing of it can be read before `finish`. Each call receives the resume point that was
 * committed last. Bytes after it are overwritten or ignored, because their append may have been interrupted, or have
 * failed a check. Data that only earlier resume points refer to may be removed by the call. At most one append of a key
 * runs at a time, on any machine.
 * All methods reject with StoreUnavailableError, after which the resume point stays valid. If the store has lost committed
 * bytes (they were removed, or a lifecycle rule aborted the upload), `append` and `finish` reject with MissingDataError: a
 * retry does not help.
 */
export interface ResumableWrites {
  /**
   * Starts a file under a key that was never used before.
   * @returns offset 0
   */
  readonly begin: (key: string) => Promise<ResumePoint>
  /**
   * Appends all chunks of a source; the memory of a chunk is valid only until the next one is requested. When it resolves,
   * all bytes are durably stored. An empty chunk means that the sender pauses: a backend that can commit what arrived at
   * little cost does so. When the source fails, the bytes that arrived are stored and committed first, if the
   * store can be reached.
   * @throws NoSpaceError, TooLargeForStoreError, the error of the source or of `commit`, the reason of the signal,
   * MissingDataError
   */
  readonly append: (
    key: string,
    from: ResumePoint,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ) => Promise<ResumePoint>
  /**
   * Makes exactly the bytes of the resume point readable under the key. Succeeds when that was done before.
   * @throws MissingDataError
   */
  readonly finish: (key: string, stored: ResumePoint) => Promise<void>
  /** Removes all data of an unfinished or finished file. Succeeds when there is none. */
  readonly discard: (key: string, stored: ResumePoint) => Promise<void>
}

/** The lifetime and the response headers of a presigned URL. The signature covers them. */
export interface PresignedURLOptions {
  /** Lifetime in seconds. */
  readonly expiresIn: number
  /** Values of response headers. */
  readonly contentType: string
  readonly contentDisposition: string
  /** A store that cannot set this header must not allow shared caches to store the response. */
  readonly cacheControl: string
}

/** Nothing is stored under the key. */
export class MissingDataError extends Error {
  override readonly name = 'MissingDataError'
}

export const missingData = (key: string, cause?: unknown): MissingDataError =>
  new MissingDataError(`nothing is stored under ${key}`, { cause })

/** The store cannot be reached, or fails. A later retry may succeed. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError'
}

/**
 * The directory, container or bucket does not exist. It is unknown whether a file is gone: the configuration may name
 * another one, or a disk is not mounted.
 */
export class MissingContainerError extends StoreUnavailableError {
  override readonly name = 'MissingContainerError'

  /** @param option the key of the configuration */
  constructor(kind: 'directory' | 'container' | 'bucket', name: string, option: string) {
    super(`the ${kind} ${name} does not exist (DataBackendConfig.${option})`)
  }
}

/** A file is larger than the store accepts. */
export class TooLargeForStoreError extends Error {
  override readonly name = 'TooLargeForStoreError'
  /** The largest size in bytes. */
  readonly limit: number

  constructor(limit: number) {
    super(`the store accepts at most ${String(limit)} bytes`)
    this.limit = limit
  }
}

/** The store has no space for more bytes. */
export class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError'
}
