import { continuedHashes, noDigest, type BodyDigest } from './body-digest.ts'
import type { Hashes } from './hash-messages.ts'
import type { BodyHasher } from './hash-thread.ts'
import type { HasherPool } from './hasher-pool.ts'
import { ignore } from '../../domain/ignore.ts'

/**
 * The hashes of resumable files. This instance keeps them between two parts, and continues them if the next part starts at
 * the end of the previous one.
 */
export interface ResumableHashes {
  /** Continues the hashes of a file at an offset, if they are kept for this offset. At offset 0, starts new ones. */
  readonly resume: (key: string, offset: number) => PartHashes
  readonly forget: (key: string) => void
  /** The number of files whose hashes wait for another part. */
  readonly waiting: () => number
}

/** Hashes the bytes of one part. Ends with `keep`, `drop` or `digest`. */
export interface PartHashes {
  readonly sum: BodyDigest<null>
  /** Keeps the hashes for the next part, which must start at this offset. */
  readonly keep: (offset: number) => void
  readonly drop: () => void
  /**
   * The hashes of all bytes; undefined when this instance does not know the hashes of an earlier part. Not called after
   * `keep`.
   */
  readonly digest: () => Promise<Hashes | undefined>
}

interface ActiveHash {
  readonly hasher: BodyHasher
  /** Called when the hash thread stops. */
  onFailure: () => void
}

interface KeptHash {
  readonly active: ActiveHash
  readonly offset: number
}

const unknown: PartHashes = {
  sum: noDigest,
  keep: ignore,
  drop: ignore,
  digest: () => Promise.resolve(undefined),
}

/** @param maxKept the maximum number of kept hashes; the oldest are dropped, and their files are read again at the end */
export function resumableHashes(hashers: HasherPool, maxKept = 1_000): ResumableHashes {
  const kept = new Map<string, KeptHash>()

  const takeKept = (key: string): KeptHash | undefined => {
    const found = kept.get(key)
    kept.delete(key)
    return found
  }
  const start = (): ActiveHash => {
    const active: ActiveHash = {
      hasher: hashers.open(() => {
        active.onFailure()
      }),
      onFailure: ignore,
    }
    return active
  }
  const forget = (key: string) => {
    takeKept(key)?.active.hasher.drop()
  }

  function partHashes(key: string, active: ActiveHash): PartHashes {
    const { hasher } = active
    let failed = false
    const reading: (() => void)[] = []
    // The part continues without hashes: the file is read again at the end.
    active.onFailure = () => {
      failed = true
      for (const read of reading.splice(0)) read()
    }
    const update = (bytes: Uint8Array, read: () => void) => {
      if (failed) {
        read()
        return
      }
      reading.push(read)
      hasher.update(bytes, () => {
        reading.shift()
        read()
      })
    }
    return {
      sum: continuedHashes(update),
      keep(offset) {
        if (failed) return
        active.onFailure = () => kept.delete(key)
        kept.set(key, { active, offset })
        const [oldest] = kept.keys()
        if (kept.size > maxKept && oldest !== undefined) forget(oldest)
      },
      drop: hasher.drop,
      digest: () => (failed ? Promise.resolve(undefined) : hasher.digest().catch(unknown.digest)),
    }
  }

  return {
    resume(key, offset) {
      const found = takeKept(key)
      if (found?.offset === offset) return partHashes(key, found.active)
      found?.active.hasher.drop()
      return offset === 0 ? partHashes(key, start()) : unknown
    },
    forget,
    waiting: () => kept.size,
  }
}
