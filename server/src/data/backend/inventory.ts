/** What a store keeps under one key. */
export interface StoredKey {
  readonly key: string
  /** Bytes that can be read under the key; null when there is no finished file. */
  readonly size: number | null
  /** Whether the store keeps bytes of an unfinished write that belong to no finished file. */
  readonly unfinished: boolean
  /** Time of the last change, by the store's clock, in milliseconds since the epoch; 0 when the store keeps no times. */
  readonly modifiedAt: number
}

/** What a store has, whether the database knows of it or not. All methods reject with StoreUnavailableError. */
export interface Inventory {
  /**
   * All keys in the order of their characters' codes. Memory stays bounded, however many there are. The list is no
   * snapshot: keys come and go while it is read, and some stores list a change late. Names that are no keys are left out.
   */
  readonly list: () => AsyncIterable<StoredKey>
  /** One key as it is now, not by a listing where listings may be late; null when nothing is stored under it. */
  readonly inspect: (key: string) => Promise<StoredKey | null>
  /** Removes the bytes of unfinished writes; a finished file stays. Success when there are none. */
  readonly removeUnfinished: (key: string) => Promise<void>
  /**
   * Optional: moves all bytes of a key to a place where the service never looks, so that an admin may. Success when there
   * are none.
   */
  readonly quarantine?: (key: string) => Promise<void>
}
