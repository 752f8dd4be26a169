import { chunkBytes, chunkNonce, sealedChunkBytes, tagBytes } from '../base/format.ts'

/**
 * Some chunks in a row, in one buffer, so that a thread gets enough to do at once. What comes of them is written to the
 * beginning of the buffer, chunk after chunk: before bytes that are to be sealed there is room for the tags, so that no
 * chunk that waits is written over.
 */
export interface Batch {
  readonly buffer: ArrayBuffer
  /** Where the bytes begin in the buffer. */
  readonly start: number
  /** Number of the first chunk in the file. */
  readonly first: number
  /** Bytes of content, or of sealed chunks. */
  readonly bytes: number
  /** Whether the last chunk of the batch is the last of the file. */
  readonly last: boolean
}

/** A batch whose chunks were opened, up to the first that is not what the sender wrote. */
export interface OpenedBatch {
  readonly buffer: ArrayBuffer
  readonly opened: number
}

/** Chunks of a batch that is to be sealed; an empty file has one. */
export const plainChunks = ({ bytes }: Pick<Batch, 'bytes'>) => Math.max(1, Math.ceil(bytes / chunkBytes))
/** Chunks of a batch that is to be opened. */
export const sealedChunks = ({ bytes }: Pick<Batch, 'bytes'>) => Math.ceil(bytes / sealedChunkBytes)

interface Place {
  readonly nonce: Uint8Array<ArrayBuffer>
  readonly plain: Uint8Array<ArrayBuffer>
  readonly sealed: Uint8Array<ArrayBuffer>
}

/** Where a chunk of a batch to be sealed is, and where it goes: a little before it. */
export function sealedOffset({ buffer, start, first, bytes, last }: Batch, index: number): Place {
  const at = index * chunkBytes
  const length = Math.min(chunkBytes, bytes - at)
  return {
    nonce: chunkNonce(first + index, last && at + chunkBytes >= bytes),
    plain: new Uint8Array(buffer, start + at, length),
    sealed: new Uint8Array(buffer, index * sealedChunkBytes, length + tagBytes),
  }
}

/** Where a sealed chunk is, and where its content goes: a little before it, clear of the next one. */
export function openedOffset({ buffer, start, first, bytes, last }: Batch, index: number): Place {
  const at = index * sealedChunkBytes
  const length = Math.min(sealedChunkBytes, bytes - at)
  return {
    nonce: chunkNonce(first + index, last && at + sealedChunkBytes >= bytes),
    plain: new Uint8Array(buffer, index * chunkBytes, length - tagBytes),
    sealed: new Uint8Array(buffer, start + at, length),
  }
}
