import { openedOffset, sealedOffset, plainChunks, sealedChunks, type Batch } from './batch.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** ChaCha20-Poly1305 for one chunk at a time, by the fastest means of the environment. */
export interface ChunkCipher {
  /** Writes the ciphertext and its tag to `sealed`, which may begin before `plain`. */
  readonly seal: (key: Bytes, nonce: Bytes, plain: Bytes, sealed: Bytes) => void
  /** Writes the content to `plain`, which may begin before `sealed`. False, and nothing written, when the tag is wrong. */
  readonly open: (key: Bytes, nonce: Bytes, sealed: Bytes, plain: Bytes) => boolean
}

/** Seals all chunks of a batch in place. */
export function sealBatch(cipher: ChunkCipher, key: Bytes, batch: Batch): void {
  for (let index = 0; index < plainChunks(batch); index += 1) {
    const { nonce, plain, sealed } = sealedOffset(batch, index)
    cipher.seal(key, nonce, plain, sealed)
  }
}

/**
 * Opens the chunks of a batch in place, up to the first whose tag is wrong.
 * @returns the number of opened chunks
 */
export function openBatch(cipher: ChunkCipher, key: Bytes, batch: Batch): number {
  const chunks = sealedChunks(batch)
  for (let index = 0; index < chunks; index += 1) {
    const { nonce, plain, sealed } = openedOffset(batch, index)
    if (!cipher.open(key, nonce, sealed, plain)) return index
  }
  return chunks
}
