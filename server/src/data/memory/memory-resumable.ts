import { missingData, type ResumableWrites } from '../backend/backend.ts'
import { commitQueue } from '../backend/commit-queue.ts'
import { beginEmpty } from '../backend/begin-empty.ts'
import { checkKey } from '../backend/key.ts'
import { untilAborted } from '../streams/until-aborted.ts'
import { ignore } from '../../domain/ignore.ts'

interface ResumableMemory {
  readonly writes: ResumableWrites
  /** Removes an unfinished file. */
  readonly removeUnfinished: (key: string) => void
  readonly has: (key: string) => boolean
  readonly keys: () => Iterable<string>
}

/** Unfinished files in the memory of the process. A file exists from its first byte on. */
export function resumableMemory(stored: Map<string, Uint8Array>): ResumableMemory {
  const unfinished = new Map<string, readonly Uint8Array[]>()

  /**
   * The first bytes of an unfinished file.
   * @throws MissingDataError when it has less
   */
  const beginningOf = (key: string, offset: number): Uint8Array[] => {
    const chunks: Uint8Array[] = []
    let left = offset
    for (const chunk of unfinished.get(key) ?? []) {
      if (left === 0) break
      chunks.push(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
    }
    if (left > 0) throw missingData(key)
    return chunks
  }

  const writes: ResumableWrites = {
    begin: beginEmpty,
    async append(key, from, source, { signal, commit }) {
      checkKey(key)
      signal.throwIfAborted()
      const chunks = beginningOf(key, from.offset)
      let { offset } = from
      const commits = commitQueue(async (until: number) => {
        signal.throwIfAborted()
        await commit({ offset: until, session: '' })
      })
      unfinished.set(key, chunks)
      try {
        for await (const chunk of untilAborted(source, AbortSignal.any([signal, commits.failed]))) {
          // A copy: a chunk's memory belongs to the source.
          chunks.push(new Uint8Array(chunk))
          offset += chunk.length
          commits.push(offset)
        }
      } finally {
        // The first error counts.
        await commits.drain().catch(ignore)
      }
      await commits.drain()
      signal.throwIfAborted()
      return { offset, session: '' }
    },
    // Refusals are rejections, as in every backend.
    finish: (key, { offset }) =>
      Promise.try(() => {
        checkKey(key)
        if (stored.get(key)?.length === offset) return
        stored.set(key, Buffer.concat(beginningOf(key, offset)))
        unfinished.delete(key)
      }),
    discard: (key) =>
      Promise.try(() => {
        checkKey(key)
        stored.delete(key)
        unfinished.delete(key)
      }),
  }
  return {
    writes,
    removeUnfinished: (key) => unfinished.delete(key),
    has: (key) => unfinished.has(key),
    keys: () => unfinished.keys(),
  }
}
