import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Hashes } from './hash-messages.ts'
import type { BodyHasher } from './hash-thread.ts'
import type { HasherPool } from './hasher-pool.ts'

/** What is worked out of a body's bytes while they go by. */
export interface BodyDigest<Sum> {
  /** All bytes of a body that is too small for a thread. */
  readonly ofSmall: (bytes: Uint8Array) => Sum
  /** @param onFailure told when the sum cannot be worked out to its end */
  readonly open: (onFailure: (error: Error) => void) => RunningDigest<Sum>
}

export interface RunningDigest<Sum> {
  /** @param read called once the bytes are no longer needed */
  readonly update: (bytes: Uint8Array, read: () => void) => void
  readonly digest: () => Promise<Sum>
  /** The end without an answer. */
  readonly drop: () => void
}

/** The hashes of a whole body: a small one's at once, as a kilobyte takes two microseconds, less than a message to a thread. */
export const wholeHashes = (hashers: HasherPool): BodyDigest<Hashes> => ({
  ofSmall: (bytes) => ({ md5: hash('md5', bytes), crc32: crc32(bytes) }),
  open: hashers.open,
})

/** More bytes for hashes that began with an earlier body and go on after this one. */
export const continuedHashes = (update: BodyHasher['update']): BodyDigest<null> => ({
  ofSmall(bytes) {
    // Copied: a message carries all the memory that stands behind a view.
    if (bytes.length > 0) update(new Uint8Array(bytes), ignore)
    return null
  },
  open() {
    let dropped = false
    return {
      update(bytes, read) {
        // The memory of a body that was dropped has other users by then.
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

/** Nothing is worked out. */
export const noSum: BodyDigest<null> = {
  ofSmall: () => null,
  open: () => ({
    update(_bytes, read) {
      read()
    },
    digest: () => Promise.resolve(null),
    drop: ignore,
  }),
}

function ignore(): void {
  // Deliberately nothing.
}
