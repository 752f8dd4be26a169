import type { Batch } from './batch.ts'
import type { ByteReader } from './byte-source.ts'
import type { SpareMemory } from './engine.ts'
import { sealedChunkBytes } from './format.ts'

/** Most chunks of a batch: two megabytes keep threads busy between two messages. */
const mostChunks = 32

/** A batch that is being filled. */
interface Filling {
  readonly buffer: ArrayBuffer
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly capacity: number
  used: number
}

function emptyBatch(chunks: number, unit: number, memory: SpareMemory): Filling {
  const buffer = memory.take(chunks * sealedChunkBytes)
  return { buffer, bytes: new Uint8Array(buffer), capacity: chunks * unit, used: 0 }
}

/** Copies as much of a piece as fits. @returns what is left of it */
function fill(filling: Filling, unit: number, piece: Uint8Array): Uint8Array {
  let rest = piece
  while (rest.length > 0 && filling.used < filling.capacity) {
    const inChunk = filling.used % unit
    const taken = rest.subarray(0, unit - inChunk)
    filling.bytes.set(taken, ((filling.used - inChunk) / unit) * sealedChunkBytes + inChunk)
    filling.used += taken.length
    rest = rest.subarray(taken.length)
  }
  return rest
}

/**
 * The chunks of a content in batches. The first ones are small, so that small files cost little and the first bytes come
 * soon. A full batch is given away only when another byte has come: its last chunk might be the last of all.
 * @param unit bytes of a chunk as they come; in a batch there is always room for a sealed one
 */
export async function* batchesOf(
  reader: ByteReader,
  unit: number,
  memory: SpareMemory,
): AsyncGenerator<Batch> {
  let first = 0
  let chunks = 1
  let filling = emptyBatch(chunks, unit, memory)
  for (let piece = await reader.pull(); piece !== undefined; piece = await reader.pull()) {
    for (let rest = fill(filling, unit, piece); rest.length > 0; rest = fill(filling, unit, rest)) {
      yield { buffer: filling.buffer, first, bytes: filling.used, last: false }
      first += chunks
      chunks = Math.min(chunks * 2, mostChunks)
      filling = emptyBatch(chunks, unit, memory)
    }
  }
  yield { buffer: filling.buffer, first, bytes: filling.used, last: true }
}
