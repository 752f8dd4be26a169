import type { RetryPolicy } from '../retry-policy.ts'

/** An object that holds bytes of an unfinished file. */
export interface NamedPiece {
  readonly name: string
  readonly size: number
}

/** What a store has to do for files that are written in pieces. Names are `KEY/ID`, within the store's own place. */
export interface PieceStore {
  /** Stores bytes under a name that was never used before. */
  readonly write: (name: string, bytes: Uint8Array, signal: AbortSignal) => Promise<void>
  /** Makes one piece of several, which stay. @throws MissingDataError when one of them is not there */
  readonly merge: (name: string, pieces: readonly NamedPiece[], signal: AbortSignal) => Promise<void>
  readonly exists: (name: string) => Promise<boolean>
  /** All names that begin with a prefix, from behind the prefix and `after` on. A listing may be late. */
  readonly list: (prefix: string, after: string, patience: RetryPolicy) => Promise<readonly string[]>
  /** Success when they are not there. */
  readonly remove: (names: readonly string[], patience: RetryPolicy) => Promise<void>
  /**
   * Makes the bytes of the pieces readable under a key, or finds out that this was done before.
   * @returns the names of which the file is made from now on
   * @throws MissingDataError when they are not there
   */
  readonly publish: (
    key: string,
    pieces: readonly NamedPiece[],
    newName: () => string,
  ) => Promise<readonly string[]>
  /** Removes all of a key, unfinished or not. */
  readonly removeAll: (key: string) => Promise<void>
}
