import { chunkToDecrypt, encryptedChunks, type Batch } from '../engine/batch.ts'
import { concat } from '../base/bytes.ts'
import type { Engine } from '../engine/engine.ts'
import { EncryptionError } from '../base/error.ts'
import { chunkBytes, encryptedChunkBytes, tagBytes } from '../base/format.ts'
import type { Done } from './run-in-order.ts'

type Bytes = Uint8Array<ArrayBuffer>

const missingEnd = () => new EncryptionError('truncated', 'the end of the file is missing')

/** Whether a file ends within a chunk. Only the first chunk of a file may be empty. */
function hasPartialChunk({ first, bytes, last }: Batch): boolean {
  if (!last) return false
  const rest = bytes % encryptedChunkBytes
  if (rest === 0) return bytes === 0
  if (rest === tagBytes) return first > 0 || bytes > tagBytes
  return rest < tagBytes
}

const withoutPartialChunk = (batch: Batch): Batch => ({
  ...batch,
  bytes: batch.bytes - (batch.bytes % encryptedChunkBytes),
  last: false,
})

/**
 * The error of a chunk that did not decrypt. If it decrypts with the other value of the last-chunk flag, the chunk is intact: bytes
 * are missing or added after it.
 */
async function diagnosis(engine: Engine, key: Bytes, chunk: Batch): Promise<Done> {
  const { buffer, decrypted } = await engine.decrypt(key, { ...chunk, last: !chunk.last })
  // Only the last chunk may be short: age writes no other.
  if (decrypted === 0 || chunk.bytes < encryptedChunkBytes) {
    const failure = new EncryptionError('damaged_chunk', 'the content of the file is damaged')
    return { bytes: new Uint8Array(), failure }
  }
  const failure = chunk.last
    ? missingEnd()
    : new EncryptionError('trailing_data', 'something follows the end of the file')
  return { bytes: new Uint8Array(buffer, 0, chunk.bytes - tagBytes), failure }
}

/** A chunk of a batch as a separate batch. */
function singleChunk(batch: Batch, index: number): Batch {
  const { encrypted } = chunkToDecrypt(batch, index)
  const isLast = batch.last && index === encryptedChunks(batch) - 1
  return {
    buffer: encrypted.slice().buffer,
    start: 0,
    first: batch.first + index,
    bytes: encrypted.length,
    last: isLast,
  }
}

/** The verified content of a batch, and the error after it. */
export async function decryptBatchSafely(engine: Engine, key: Bytes, batch: Batch): Promise<Done> {
  const isCut = hasPartialChunk(batch)
  const wholeChunks = isCut ? withoutPartialChunk(batch) : batch
  const chunks = encryptedChunks(wholeChunks)
  const { buffer, decrypted } = await engine.decrypt(key, wholeChunks)
  if (decrypted === chunks) {
    const bytes = new Uint8Array(buffer, 0, wholeChunks.bytes - chunks * tagBytes)
    return { bytes, failure: isCut ? missingEnd() : undefined }
  }
  const { bytes, failure } = await diagnosis(engine, key, singleChunk({ ...wholeChunks, buffer }, decrypted))
  return { bytes: concat([new Uint8Array(buffer, 0, decrypted * chunkBytes), bytes]), failure }
}
