/** The data that a store has under one key. */
export interface StoredKey {
  readonly key: string
  /** Bytes that can be read under the key; null when there is no finished file. */
  readonly size: number | null
  /** Whether the store has bytes of an unfinished write that belong to no finished file. */
  readonly unfinished: boolean
  /** Time of the last change, by the store's clock, in milliseconds since the epoch; 0 when the store has no times. */
  readonly modifiedAt: number
  /** Whether the store cannot read what it has under the key, because of damage or missing permissions. */
  readonly isUnreadable?: boolean
}

/** The content of a store, independent of the database. All methods reject with StoreUnavailableError. */
export interface Inventory {
  /**
   * All keys in the order of their character codes, with bounded memory. The list is not a snapshot: keys are added and
   * removed while it is read, and some stores list changes late. Names that are not keys are left out, and so are keys
   * in an unreadable directory.
   */
  readonly list: () => AsyncIterable<StoredKey>
  /** The current data of one key, without a listing where listings may not show recent writes; null when there is none. */
  readonly inspect: (key: string) => Promise<StoredKey | null>
  /** Removes the bytes of unfinished writes; a finished file stays. Succeeds when there are none. */
  readonly removeUnfinished: (key: string) => Promise<void>
  /**
   * Optional: moves all bytes of a key to the quarantine, which the service does not read, for an admin to inspect. Succeeds
   * when there are none.
   */
  readonly quarantine?: (key: string) => Promise<void>
}
