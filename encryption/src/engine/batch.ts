import { chunkBytes, chunkNonce, encryptedChunkBytes, tagBytes } from '../base/format.ts'

/**
 * Consecutive chunks in one buffer, so that a message to a thread carries enough work. Results are written to the beginning
 * of the buffer, chunk after chunk. Plain bytes are preceded by room for the tags, so that a result never overwrites a
 * chunk that waits.
 */
export interface Batch {
  readonly buffer: ArrayBuffer
  /** Offset of the bytes in the buffer. */
  readonly start: number
  /** Number of the first chunk in the file. */
  readonly first: number
  /** Bytes of content, or of encrypted chunks. */
  readonly bytes: number
  /** Whether the last chunk of the batch is the last of the file. */
  readonly last: boolean
}

/** A batch whose chunks were decrypted, up to the first damaged one. */
export interface DecryptedBatch {
  readonly buffer: ArrayBuffer
  readonly decrypted: number
}

/** Number of chunks of a plain batch; an empty file has one. */
export const plainChunks = ({ bytes }: Pick<Batch, 'bytes'>) => Math.max(1, Math.ceil(bytes / chunkBytes))
/** Number of chunks of an encrypted batch. */
export const encryptedChunks = ({ bytes }: Pick<Batch, 'bytes'>) => Math.ceil(bytes / encryptedChunkBytes)

interface Place {
  readonly nonce: Uint8Array<ArrayBuffer>
  readonly plain: Uint8Array<ArrayBuffer>
  readonly encrypted: Uint8Array<ArrayBuffer>
}

/** A plain chunk, and the place of its encrypted form, which begins before it. */
export function chunkToEncrypt({ buffer, start, first, bytes, last }: Batch, index: number): Place {
  const at = index * chunkBytes
  const length = Math.min(chunkBytes, bytes - at)
  return {
    nonce: chunkNonce(first + index, last && at + chunkBytes >= bytes),
    plain: new Uint8Array(buffer, start + at, length),
    encrypted: new Uint8Array(buffer, index * encryptedChunkBytes, length + tagBytes),
  }
}

/** An encrypted chunk, and the place of its content, which begins before it and ends before the next chunk. */
export function chunkToDecrypt({ buffer, start, first, bytes, last }: Batch, index: number): Place {
  const at = index * encryptedChunkBytes
  const length = Math.min(encryptedChunkBytes, bytes - at)
  return {
    nonce: chunkNonce(first + index, last && at + encryptedChunkBytes >= bytes),
    plain: new Uint8Array(buffer, index * chunkBytes, length - tagBytes),
    encrypted: new Uint8Array(buffer, start + at, length),
  }
}
