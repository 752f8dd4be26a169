/** What is kept of a body's bytes. */
export interface Hashes {
  /** Lower-case hexadecimal. */
  readonly md5: string
  /** CRC-32 as in zip (IEEE 802.3), unsigned. */
  readonly crc32: number
}

/** To a hash worker: more bytes of a body, or its end. */
export interface HashRequest {
  readonly body: number
  /** In shared memory: they are read in place, and may be changed once they are answered. */
  readonly bytes?: Uint8Array
  readonly end?: 'digest' | 'drop'
}

/** From a hash worker, in the order of the requests: bytes were read, or the hashes of the whole body. */
export interface HashAnswer {
  readonly body: number
  readonly hashes?: Hashes
}
