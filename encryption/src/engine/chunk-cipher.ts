import { chunkToDecrypt, chunkToEncrypt, plainChunks, encryptedChunks, type Batch } from './batch.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** ChaCha20-Poly1305 for one chunk at a time, by the fastest means of the environment. */
export interface ChunkCipher {
  /** Writes the ciphertext and its tag to `encrypted`, which may begin before `plain`. */
  readonly encrypt: (key: Bytes, nonce: Bytes, plain: Bytes, encrypted: Bytes) => void
  /** Writes the content to `plain`, which may begin before `encrypted`. False, and nothing written, when the tag is wrong. */
  readonly decrypt: (key: Bytes, nonce: Bytes, encrypted: Bytes, plain: Bytes) => boolean
}

/** Encrypts all chunks of a batch in place. */
export function encryptBatch(cipher: ChunkCipher, key: Bytes, batch: Batch): void {
  for (let index = 0; index < plainChunks(batch); index += 1) {
    const { nonce, plain, encrypted } = chunkToEncrypt(batch, index)
    cipher.encrypt(key, nonce, plain, encrypted)
  }
}

/**
 * Opens the chunks of a batch in place, up to the first whose tag is wrong.
 * @returns the number of decrypted chunks
 */
export function decryptBatch(cipher: ChunkCipher, key: Bytes, batch: Batch): number {
  const chunks = encryptedChunks(batch)
  for (let index = 0; index < chunks; index += 1) {
    const { nonce, plain, encrypted } = chunkToDecrypt(batch, index)
    if (!cipher.decrypt(key, nonce, encrypted, plain)) return index
  }
  return chunks
}
