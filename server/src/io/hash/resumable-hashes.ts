import { continuedHashes, noDigest, type BodyDigest } from './body-digest.ts'
import type { Hashes } from './hash-messages.ts'
import type { BodyHasher } from './hash-thread.ts'
import type { HasherPool } from './hasher-pool.ts'

/**
 * The hashes of resumable files. This process keeps them between two parts, and continues them if the next part starts
 * where the last one ended.
 */
export interface ResumableHashes {
  /** Continues the hashes of a file at an offset, if they are kept for this offset. At offset 0, starts new ones. */
  readonly resume: (key: string, offset: number) => PartHashes
  readonly forget: (key: string) => void
  /** Number of files whose hashes wait for another part. */
  readonly waiting: () => number
}

/** Hashes the bytes of one part. Ends with `keep`, `drop` or `digest`. */
export interface PartHashes {
  readonly sum: BodyDigest<null>
  /** Keeps the hashes for the next part, which must start at this offset. */
  readonly keep: (offset: number) => void
  readonly drop: () => void
  /**
   * The hashes of all bytes; undefined when the hashes of an earlier part are not known here. Not called after `keep`.
   */
  readonly digest: () => Promise<Hashes | undefined>
}

interface Live {
  readonly hasher: BodyHasher
  /** Called when the hash thread stops. */
  onFailure: () => void
}

interface Kept {
  readonly live: Live
  readonly offset: number
}

const unknown: PartHashes = {
  sum: noDigest,
  keep: ignore,
  drop: ignore,
  digest: () => Promise.resolve(undefined),
}

/** @param maxKept maximum of kept hashes. The oldest ones are dropped; their files are read again at the end */
export function resumableHashes(hashers: HasherPool, maxKept = 1_000): ResumableHashes {
  const kept = new Map<string, Kept>()

  const takeKept = (key: string): Kept | undefined => {
    const found = kept.get(key)
    kept.delete(key)
    return found
  }
  const start = (): Live => {
    const live: Live = {
      hasher: hashers.open(() => {
        live.onFailure()
      }),
      onFailure: ignore,
    }
    return live
  }
  const forget = (key: string) => {
    takeKept(key)?.live.hasher.drop()
  }

  function partHashes(key: string, live: Live): PartHashes {
    const { hasher } = live
    let failed = false
    const reading: (() => void)[] = []
    // The part continues without hashes: the file is read again at the end.
    live.onFailure = () => {
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
        live.onFailure = () => kept.delete(key)
        kept.set(key, { live, offset })
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
      if (found?.offset === offset) return partHashes(key, found.live)
      found?.live.hasher.drop()
      return offset === 0 ? partHashes(key, start()) : unknown
    },
    forget,
    waiting: () => kept.size,
  }
}

function ignore(): void {
  // Deliberately nothing.
}
