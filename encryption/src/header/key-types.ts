// The interfaces of typage, so that users of this package do not need its types.

/** A part of a header: the file key, wrapped for one recipient (age v1, "Header"). */
export interface Stanza {
  /** The kind, and what it needs. */
  readonly args: string[]
  readonly body: Uint8Array
}

/** Wraps the key of a file in stanzas. */
export interface Recipient {
  readonly wrapFileKey: (fileKey: Uint8Array) => Stanza[] | Promise<Stanza[]>
}

/** Finds the key of a file in its stanzas; null when none is for this identity. */
export interface Identity {
  readonly unwrapFileKey: (stanzas: Stanza[]) => Uint8Array | null | Promise<Uint8Array | null>
}
