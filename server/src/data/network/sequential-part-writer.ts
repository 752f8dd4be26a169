import { untilAborted } from '../streams/until-aborted.ts'
import { gatherParts, type Part } from './gather-parts.ts'
import type { PartBufferPool } from './part-buffer-pool.ts'
import { ignore } from '../../domain/ignore.ts'

/** Writes the parts of one file to a store, one at a time. */
export interface PartWriter {
  /** Resolves when the part is stored, and for the last part when the file can be read. */
  readonly write: (part: Part, signal: AbortSignal) => Promise<void>
  /** Removes all that was written. */
  readonly undo: () => Promise<void>
}

export interface PartSizes {
  readonly pool: PartBufferPool
  /** See `PartBufferPool.forUpload`. */
  readonly sender?: string | null | undefined
  /** The most bytes of a part. */
  readonly size: number
  /**
   * The least bytes of a part other than the last, when memory is short.
   * @param number number of the part, from 1
   */
  readonly min: (number: number) => number
  /** The most bytes of a part that begins at `start`, if fewer than `size`. */
  readonly max?: (start: number) => number
  /** See `GatherOptions`. */
  readonly isDue?: (number: number) => boolean
}

/**
 * Writes all bytes of a source, and gathers the next part while one is being written. When it fails, the written parts are
 * removed; if the store is unavailable, cleanup removes them with their key later.
 * @throws the first error: that of the source, of the writer, or the reason of the signal
 */
export async function writePartsSequentially(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  { pool, sender, size, min, max, isDue }: PartSizes,
  writer: PartWriter,
): Promise<void> {
  signal.throwIfAborted()
  const buffers = pool.forUpload(sender)
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  const acquire = (number: number, start: number) => buffers.acquire(either, min(number), max?.(start))
  const gathering = { size, buffers, acquire, ...(isDue && { isDue }) }
  let lastWrite: Promise<unknown> = Promise.resolve()

  const write = async (part: Part) => {
    try {
      await writer.write(part, either)
      part.release()
    } catch (error) {
      // An aborted request may still read the memory.
      part.discard()
      // Stops reading the source.
      failure.abort(error)
      throw error
    }
  }
  try {
    for await (const part of gatherParts(untilAborted(source, either), gathering)) {
      await waitFor(lastWrite)
      if (either.aborted) part.release()
      either.throwIfAborted()
      lastWrite = write(part)
      // The signal reports it, or another error came first.
      lastWrite.catch(ignore)
    }
    await lastWrite
    signal.throwIfAborted()
  } catch (error) {
    failure.abort(error)
    await waitFor(lastWrite)
    await waitFor(writer.undo())
    throw error
  }
}

async function waitFor(work: Promise<unknown>): Promise<void> {
  // The signal reports it, or another error came first.
  await work.catch(ignore)
}
