import type { Batch } from '../engine/batch.ts'
import type { HashingEngine } from '../engine/engine.ts'
import { hexOf, initialState } from '../engine/sha256.ts'
import { chunkBytes } from '../base/format.ts'

/** The SHA-256 of content whose batches may be read more than once, because parts of an upload are sent again after an error. */
export interface BatchDigest {
  /** Hashes the bytes of a batch that were not hashed before. Takes over the buffer: the caller encrypts the returned batch. */
  readonly add: (batch: Batch) => Promise<Batch>
  /** The digest in hexadecimal digits; undefined before the last byte was hashed. */
  readonly sha256: () => string | undefined
}

/** @param size bytes of the content */
export function createBatchDigest(size: number, { hash }: Pick<HashingEngine, 'hash'>): BatchDigest {
  let state = initialState()
  let hashed = 0
  let isComplete = false
  /** Hashes run one after another, because each starts from the state of the one before. */
  let last: Promise<unknown> = Promise.resolve()

  const add = async (batch: Batch): Promise<Batch> => {
    const start = batch.first * chunkBytes
    const end = start + batch.bytes
    const isNew = batch.last ? !isComplete : end > hashed
    if (!isNew || start > hashed) return batch
    const { buffer, state: next } = await hash(state, {
      buffer: batch.buffer,
      start: batch.start + hashed - start,
      bytes: end - hashed,
      total: batch.last ? size : undefined,
    })
    state = next
    hashed = end
    isComplete = batch.last
    return { ...batch, buffer }
  }
  return {
    add: (batch) => {
      const result = last.then(() => add(batch))
      last = result.catch(() => undefined)
      return result
    },
    sha256: () => (isComplete ? hexOf(state) : undefined),
  }
}
