import type { Inventory } from './inventory.ts'

/** First and last byte, both included, counted from 0 (as in a `Range` header). */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Stored bytes that can be read anywhere, into memory that the caller owns: the fastest way out. */
export interface RandomReader {
  /**
   * Reads up to `into.length` bytes from `position` on.
   * @returns how many bytes were read; 0 only at the end
   */
  read(into: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

/**
 * Where the bytes of files are kept. Keys are our own random ids, never a name from outside.
 * A backend knows nothing of limits, hashes or status.
 */
export interface DataBackend {
  /**
   * Stores all chunks of a source under a key that was never used before.
   * A chunk's memory is only valid until the next one is asked for.
   * When it rejects (the source failed, the signal was aborted, the store refused), nothing of the key can be
   * read and nothing stays behind.
   * @throws NoSpaceError when the store is full, TooLargeForStoreError, StoreUnavailableError
   */
  readonly add: (key: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<void>
  /**
   * The stored bytes, or one range of them; an empty range ends before it starts. Each chunk belongs to whoever reads
   * it, with its memory. Whoever leaves early lets go of everything.
   * @throws MissingDataError when nothing is stored under the key, StoreUnavailableError
   */
  readonly get: (key: string, range?: ByteRange) => Promise<AsyncIterable<Uint8Array>>
  /** Removes what is stored under a key, unfinished writes too. Success when there is nothing. */
  readonly remove: (key: string) => Promise<void>
  /**
   * Optional: removes what is stored under several keys, in fewer requests or with fewer waits for the disk than one by
   * one. Every key is of a file that was stored whole: nothing unfinished is looked for. At most 500 keys at a time.
   * @returns why what is still there could not be removed, by its key
   */
  readonly removeMany?: (keys: readonly string[]) => Promise<ReadonlyMap<string, unknown>>
  /** Optional: random access without a stream between. @throws MissingDataError */
  readonly open?: (key: string) => Promise<RandomReader>
  /** Optional: bytes that can still be stored. */
  readonly freeSpace?: () => Promise<number>
  /**
   * Optional: resolves when the store answers and would take our keys: the directory, bucket or container is there,
   * and we are let in. One cheap question, as it is asked every few seconds (`GET /ready`): no key is written, read
   * or listed, and nothing is tried again.
   * @throws when the store cannot be reached, does not know the place, or refuses us
   */
  readonly ping?: (signal: AbortSignal) => Promise<void>
  /** Optional: files that are written in pieces, over several connections, processes and machines. */
  readonly resumable?: ResumableWrites
  /** Optional: what is stored, whether anyone asks for it or not. */
  readonly inventory?: Inventory
  /**
   * Optional: an address at which the store itself gives the stored bytes to whoever has it, for a while.
   * It does not find out whether anything is stored. @throws StoreUnavailableError
   */
  readonly directAddress?: (key: string, options: DirectAddressOptions) => Promise<string>
}

/** How far an unfinished file is safely stored. Whoever writes it keeps this and brings it along every time. */
export interface StoredPart {
  /** Bytes from the first on. */
  readonly offset: number
  /** What the backend needs to go on: its own words, at most 32 KiB of text. */
  readonly session: string
}

export interface AppendOptions {
  /** Ends the writing: what was not committed may be lost. */
  readonly signal: AbortSignal
  /**
   * Told now and then, and at the end, how far the file is safely stored by now (after a crash, writing begins there
   * again), one call after the other. When it rejects, nothing more is written, and `append` rejects with its error.
   * Not called any more once the signal is aborted.
   */
  readonly commit: (stored: StoredPart) => Promise<void>
}

/**
 * A file that is written in pieces. Nothing of it can be read before `finish`. Each call is given the stored part that
 * was kept last; whatever was written after it is written over or ignored, as it may be an append that was cut, or
 * that failed a check. What was before the stored part that a call was given need not be kept beyond that call. At most
 * one append of a key runs at a time, on whatever machine.
 * All reject with StoreUnavailableError; what was kept before stays good. Where the store has lost what was kept (it was
 * removed, or the store's own rules gave it up), `append` and `finish` reject with MissingDataError: no other try helps.
 */
export interface ResumableWrites {
  /** Begins a file under a key that was never used before. @returns offset 0 */
  readonly begin: (key: string) => Promise<StoredPart>
  /**
   * Appends all chunks of a source; a chunk's memory is only valid until the next one is asked for. When the source
   * ends, all of it is safely stored, however little it was. When it fails, what came of it is stored and told first,
   * as far as the store can be reached.
   * @throws NoSpaceError, TooLargeForStoreError, the error of the source or of `commit`, the reason of the signal,
   * MissingDataError
   */
  readonly append: (
    key: string,
    from: StoredPart,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ) => Promise<StoredPart>
  /**
   * Makes exactly the bytes of the stored part readable under the key. Success when that was done before.
   * @throws MissingDataError
   */
  readonly finish: (key: string, stored: StoredPart) => Promise<void>
  /** Removes all that was stored of an unfinished or finished file. Success when there is nothing. */
  readonly abandon: (key: string, stored: StoredPart) => Promise<void>
}

/** What the store answers at an address that it gives bytes away at. Nobody who has the address can change it. */
export interface DirectAddressOptions {
  /** Seconds that the address is good for. */
  readonly expiresIn: number
  /** Values of the headers of the answer. */
  readonly contentType: string
  readonly contentDisposition: string
  /** As far as the store can be told; one that cannot must not let shared caches keep what it gives away. */
  readonly cacheControl: string
}

/** Nothing is stored under the key. */
export class MissingDataError extends Error {
  override readonly name = 'MissingDataError'
}

/** The store cannot be reached, or does not do what it is asked to. Trying again later may help. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
}

/** A file is larger than the store can take. */
export class TooLargeForStoreError extends Error {
  override readonly name = 'TooLargeForStoreError'
  /** Bytes that it can take. */
  readonly limit: number

  constructor(limit: number) {
    super(`the store takes at most ${String(limit)} bytes`)
    this.limit = limit
  }
}

/** The store has no room for more bytes. */
export class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError'
}
