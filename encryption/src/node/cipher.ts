import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { ChunkCipher } from '../engine/chunk-cipher.ts'
import { tagBytes } from '../base/format.ts'

const algorithm = 'chacha20-poly1305'
const options = { authTagLength: tagBytes }

/**
 * Copies bytes and frees their memory at once. Node allocates a buffer for every result; without this, the garbage
 * collector would run a hundred times for a gigabyte.
 */
function move(bytes: Buffer<ArrayBuffer>, to: Uint8Array): void {
  to.set(bytes)
  if (bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0)
}

/** The cipher of OpenSSL. */
export const nodeCipher: ChunkCipher = {
  encrypt: (key, nonce, plain, encrypted) => {
    const cipher = createCipheriv(algorithm, key, nonce, options)
    move(cipher.update(plain), encrypted)
    cipher.final()
    encrypted.set(cipher.getAuthTag(), plain.length)
  },
  decrypt: (key, nonce, encrypted, plain) => {
    const decipher = createDecipheriv(algorithm, key, nonce, options)
    decipher.setAuthTag(encrypted.subarray(-tagBytes))
    const content = decipher.update(encrypted.subarray(0, -tagBytes))
    try {
      // The content is copied only after the tag is verified.
      decipher.final()
    } catch {
      return false
    }
    move(content, plain)
    return true
  },
}
