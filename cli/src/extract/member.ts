/** An entry of an archive. */
export interface Member {
  /** The name in the archive, which is untrusted. */
  readonly name: string
  /** `other`: links, devices and other members that are not unpacked. */
  readonly kind: 'file' | 'folder' | 'other'
  /** Must be read before the next member. */
  readonly bytes: () => AsyncIterable<Uint8Array>
}
