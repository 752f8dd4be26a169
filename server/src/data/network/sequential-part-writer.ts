import { untilAborted } from '../streams/until-aborted.ts'
import { gatherParts, type Part } from './gather-parts.ts'
import type { PartBufferPool } from './part-buffer-pool.ts'

/** Brings the parts of one file to a store, one after the other. */
export interface PartWriter {
  /** Resolves when the store has the part; after the last one, when the file can be read. */
  readonly write: (part: Part, signal: AbortSignal) => Promise<void>
  /** Removes all that was written. */
  readonly undo: () => Promise<void>
}

export interface PartSizes {
  readonly memory: PartBufferPool
  /** Most bytes of a part. */
  readonly size: number
  /** Bytes of a part, other than the last, that will do when memory is short. @param number of the part, from 1 */
  readonly least: (number: number) => number
  /** Most bytes of a part that begins at a byte, where that is fewer than `size`. */
  readonly most?: (start: number) => number
  /** As of `gatherParts`. */
  readonly isDue?: (number: number) => boolean
}

/**
 * Writes all bytes of a source: the next part is gathered while one is on its way. When it fails, what was written
 * is undone; the store may be away then, and what cannot be removed now goes with its key later.
 * @throws the first error: that of the source, of the writer, or the reason of the signal
 */
export async function writePartsSequentially(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  { memory, size, least, most, isDue }: PartSizes,
  writer: PartWriter,
): Promise<void> {
  signal.throwIfAborted()
  const share = memory.open()
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  const take = (number: number, start: number) => share.take(either, least(number), most?.(start))
  const gathering = { size, share, take, ...(isDue && { isDue }) }
  let writing: Promise<unknown> = Promise.resolve()

  const write = async (part: Part) => {
    try {
      await writer.write(part, either)
      part.give()
    } catch (error) {
      // A request that was cut may still read it.
      part.forfeit()
      // The source need not be waited for.
      failure.abort(error)
      throw error
    }
  }
  try {
    for await (const part of gatherParts(untilAborted(source, either), gathering)) {
      await settled(writing)
      if (either.aborted) part.give()
      either.throwIfAborted()
      writing = write(part)
      writing.catch(ignore)
    }
    await writing
    signal.throwIfAborted()
  } catch (error) {
    failure.abort(error)
    await settled(writing)
    await settled(writer.undo())
    throw error
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(ignore)
}

function ignore(): void {
  // Told by the signal, or not worth more than the first error.
}
