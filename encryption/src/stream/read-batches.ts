import type { Batch } from '../engine/batch.ts'
import type { ByteReader } from '../base/byte-source.ts'
import type { MemoryPool } from '../engine/engine.ts'
import { chunkBytes, encryptedChunkBytes, tagBytes } from '../base/format.ts'

/** Maximum chunks of a batch: two megabytes keep a thread busy between two messages. */
const maxChunks = 32

/** A batch that is being filled. */
interface PendingBatch {
  readonly buffer: ArrayBuffer
  readonly start: number
  readonly first: number
  readonly chunks: number
  /** Capacity in bytes. */
  readonly capacity: number
  bytes: number
}

const batch = ({ buffer, start, first, bytes }: PendingBatch, last: boolean): Batch => ({
  buffer,
  start,
  first,
  bytes,
  last,
})

/**
 * The chunks of a content in batches. The first batches are small, so that small files cost little and the first bytes come
 * soon. A full batch is returned only after another byte has arrived, because its last chunk might be the last one of the
 * file. The next batch is filled meanwhile.
 * @param kind kind of the source's chunks
 */
export async function* readBatches(
  reader: ByteReader,
  kind: 'plain' | 'encrypted',
  memory: MemoryPool,
): AsyncGenerator<Batch> {
  const unit = kind === 'plain' ? chunkBytes : encryptedChunkBytes
  const emptyBatch = (first: number, chunks: number): PendingBatch => {
    const start = kind === 'plain' ? chunks * tagBytes : 0
    const buffer = memory.take(chunks * encryptedChunkBytes)
    return { buffer, start, first, chunks, capacity: chunks * unit, bytes: 0 }
  }
  /** @returns whether bytes were added */
  const fillOnce = async (pending: PendingBatch): Promise<boolean> => {
    const { buffer, start, bytes, capacity } = pending
    const filled = await reader.fill(new Uint8Array(buffer, start + bytes, capacity - bytes))
    pending.bytes += filled
    return filled > 0
  }
  /**
   * Fills a batch.
   * @returns the beginning of the next; undefined where the content ends before
   */
  const fill = async (pending: PendingBatch): Promise<PendingBatch | undefined> => {
    while (pending.bytes < pending.capacity) if (!(await fillOnce(pending))) return undefined
    const { first, chunks } = pending
    const next = emptyBatch(first + chunks, Math.min(chunks * 2, maxChunks))
    return (await fillOnce(next)) ? next : undefined
  }

  let current = emptyBatch(0, 1)
  let next = await fill(current)
  while (next !== undefined) {
    const filling = fill(next)
    // The next read reports the error.
    filling.catch(() => undefined)
    yield batch(current, false)
    current = next
    next = await filling
  }
  yield batch(current, true)
}
