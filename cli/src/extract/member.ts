/** What an archive holds. */
export interface Member {
  /** As the archive says: not to be trusted. */
  readonly name: string
  /** `other`: links, devices and other members that are not unpacked. */
  readonly kind: 'file' | 'folder' | 'other'
  /** To be read before the next member. */
  readonly bytes: () => AsyncIterable<Uint8Array>
}
