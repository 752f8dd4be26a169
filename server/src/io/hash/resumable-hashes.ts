import { continuedHashes, noSum, type BodyDigest } from './body-digest.ts'
import type { Hashes } from './hash-messages.ts'
import type { BodyHasher } from './hash-thread.ts'
import type { HasherPool } from './hasher-pool.ts'

/**
 * The hashes of files that come in pieces. They are kept between two pieces while this process lives, and go on when
 * the next piece begins where the last one ended.
 */
export interface ResumableHashes {
  /** Goes on with the hashes of a file's first bytes, if they are those that are kept; at 0 hashes begin. */
  readonly goOn: (key: string, offset: number) => PartHashes
  readonly forget: (key: string) => void
  /** How many wait for another piece. */
  readonly waiting: () => number
}

/** What hashes the bytes of one piece. Ends with `keep` or `drop`. */
export interface PartHashes {
  readonly sum: BodyDigest<null>
  /** Keeps the hashes for the next piece, which has to begin at an offset. */
  readonly keep: (offset: number) => void
  readonly drop: () => void
  /** The hashes of all bytes, or nothing when those of an earlier piece are not known here. Not called after `keep`. */
  readonly digest: () => Promise<Hashes | undefined>
}

interface Live {
  readonly hasher: BodyHasher
  /** Told when the thread dies that hashes. */
  onFailure: () => void
}

interface Kept {
  readonly live: Live
  readonly offset: number
}

const unknown: PartHashes = {
  sum: noSum,
  keep: ignore,
  drop: ignore,
  digest: () => Promise.resolve(undefined),
}

/** @param most hashes that are kept; those that were kept longest give way, and their files are read again at the end */
export function resumableHashes(hashers: HasherPool, most = 1_000): ResumableHashes {
  const kept = new Map<string, Kept>()

  const takeOut = (key: string): Kept | undefined => {
    const found = kept.get(key)
    kept.delete(key)
    return found
  }
  const begin = (): Live => {
    const live: Live = {
      hasher: hashers.open(() => {
        live.onFailure()
      }),
      onFailure: ignore,
    }
    return live
  }
  const forget = (key: string) => {
    takeOut(key)?.live.hasher.drop()
  }

  function pieceHashes(key: string, live: Live): PartHashes {
    const { hasher } = live
    let failed = false
    const reading: (() => void)[] = []
    // The piece goes on without its hashes: the file is read again at the end.
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
        if (kept.size > most && oldest !== undefined) forget(oldest)
      },
      drop: hasher.drop,
      digest: () => (failed ? Promise.resolve(undefined) : hasher.digest().catch(unknown.digest)),
    }
  }

  return {
    goOn(key, offset) {
      const found = takeOut(key)
      if (found?.offset === offset) return pieceHashes(key, found.live)
      found?.live.hasher.drop()
      return offset === 0 ? pieceHashes(key, begin()) : unknown
    },
    forget,
    waiting: () => kept.size,
  }
}

function ignore(): void {
  // Deliberately nothing.
}
