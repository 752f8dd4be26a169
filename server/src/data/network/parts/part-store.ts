import type { RetryPolicy } from '../retry-policy.ts'

/** A stored part of an unfinished file. */
export interface NamedPart {
  readonly name: string
  readonly size: number
}

/** The bytes of all parts. */
export const totalSize = (parts: readonly NamedPart[]): number =>
  parts.reduce((sum, { size }) => sum + size, 0)

/** The operations of an object store on parts of unfinished files. Names are `KEY/ID`. */
export interface PartStore {
  /** Stores bytes under a name that was never used before. */
  readonly write: (name: string, bytes: Uint8Array, signal: AbortSignal) => Promise<void>
  /**
   * Merges parts into a new one; keeps the originals.
   * @throws MissingDataError when one of them is missing
   */
  readonly merge: (name: string, parts: readonly NamedPart[], signal: AbortSignal) => Promise<void>
  readonly exists: (name: string) => Promise<boolean>
  /** All names with a prefix that sort after the prefix followed by `after`. A listing may not show recent writes. */
  readonly list: (prefix: string, after: string, retryPolicy: RetryPolicy) => Promise<readonly string[]>
  /** Succeeds for objects that do not exist. */
  readonly remove: (names: readonly string[], retryPolicy: RetryPolicy) => Promise<void>
  /**
   * Makes the bytes of the parts readable under a key. Idempotent.
   * @returns the names of the objects that the finished file consists of
   * @throws MissingDataError when a part is missing
   */
  readonly publish: (
    key: string,
    parts: readonly NamedPart[],
    newName: () => string,
  ) => Promise<readonly string[]>
  /** Removes all objects of a key, finished or not. */
  readonly removeAll: (key: string) => Promise<void>
}
