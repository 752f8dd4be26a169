import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Hashes } from './hash-messages.ts'
import type { BodyHasher } from './hash-thread.ts'
import type { HasherPool } from './hasher-pool.ts'
import { ignore } from '../../domain/ignore.ts'

/** A digest that is computed while a body is received. */
export interface BodyDigest<Sum> {
  /** The digest of all bytes of a body that is too small for a thread. */
  readonly digestSmall: (bytes: Uint8Array) => Sum
  /** @param onFailure called when the digest cannot be completed */
  readonly open: (onFailure: (error: Error) => void) => RunningDigest<Sum>
}

export interface RunningDigest<Sum> {
  /** @param read called when the bytes are no longer needed */
  readonly update: (bytes: Uint8Array, read: () => void) => void
  readonly digest: () => Promise<Sum>
  /** Ends without a result. */
  readonly drop: () => void
}

/**
 * The hashes of a whole body. A small body is hashed in this thread: a kilobyte takes two microseconds, less than a message
 * to another thread.
 */
export const wholeHashes = (hashers: HasherPool): BodyDigest<Hashes> => ({
  digestSmall: (bytes) => ({ md5: hash('md5', bytes), crc32: crc32(bytes) }),
  open: hashers.open,
})

/** Passes bytes to hashes that started with an earlier part and continue after this one. */
export const continuedHashes = (update: BodyHasher['update']): BodyDigest<null> => ({
  digestSmall(bytes) {
    // Copied, because a message contains the whole memory of a view.
    if (bytes.length > 0) update(new Uint8Array(bytes), ignore)
    return null
  },
  open() {
    let dropped = false
    return {
      update(bytes, read) {
        // After `drop`, the memory may be in use for another body.
        update(bytes, () => {
          if (!dropped) read()
        })
      },
      digest: () => Promise.resolve(null),
      drop() {
        dropped = true
      },
    }
  },
})

/** Computes nothing. */
export const noDigest: BodyDigest<null> = {
  digestSmall: () => null,
  open: () => ({
    update(_bytes, read) {
      read()
    },
    digest: () => Promise.resolve(null),
    drop: ignore,
  }),
}
