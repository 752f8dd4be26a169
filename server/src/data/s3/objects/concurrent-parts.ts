import type { Part } from '../../network/gather-parts.ts'
import type { UploadBuffers } from '../../network/part-buffer-pool.ts'

/** Parts of one file that are uploaded concurrently. */
export interface ConcurrentParts {
  /** Memory for one more part. An upload may hold the parts that are being uploaded, and one that is being filled. */
  readonly acquire: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>
  /** Tracks the upload of a part, and releases its memory afterwards. */
  readonly start: (part: Part, request: Promise<unknown>) => void
  /** Resolves when no part is being uploaded. */
  readonly settled: () => Promise<void>
}

/**
 * @param max parts that are uploaded at once
 * @param failure aborted with the first error
 */
export function concurrentParts(
  share: UploadBuffers,
  max: number,
  failure: AbortController,
): ConcurrentParts {
  const unsent = new Set<Promise<void>>()

  const send = async (part: Part, request: Promise<unknown>) => {
    try {
      await request
      part.release()
    } catch (error) {
      part.discard()
      failure.abort(error)
    }
  }
  return {
    async acquire(signal) {
      while (unsent.size >= max) await Promise.race(unsent)
      return share.acquire(signal)
    },
    start(part, request) {
      const sent: Promise<void> = send(part, request).finally(() => unsent.delete(sent))
      unsent.add(sent)
    },
    async settled() {
      await Promise.all(unsent)
    },
  }
}
