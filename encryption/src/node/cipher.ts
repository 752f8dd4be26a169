import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { ChunkCipher } from '../engine/chunk-cipher.ts'
import { tagBytes } from '../base/format.ts'

const algorithm = 'chacha20-poly1305'
const options = { authTagLength: tagBytes }

/**
 * Puts bytes in their place and gives their memory back at once. Node makes a new buffer for every result; left to the
 * garbage collector, they would make it run a hundred times for a gigabyte, and the next one would be cold.
 */
function move(bytes: Buffer<ArrayBuffer>, to: Uint8Array): void {
  to.set(bytes)
  if (bytes.length === bytes.buffer.byteLength) bytes.buffer.transfer(0)
}

/** OpenSSL's. */
export const nodeCipher: ChunkCipher = {
  seal: (key, nonce, plain, sealed) => {
    const cipher = createCipheriv(algorithm, key, nonce, options)
    move(cipher.update(plain), sealed)
    cipher.final()
    sealed.set(cipher.getAuthTag(), plain.length)
  },
  open: (key, nonce, sealed, plain) => {
    const decipher = createDecipheriv(algorithm, key, nonce, options)
    decipher.setAuthTag(sealed.subarray(-tagBytes))
    const content = decipher.update(sealed.subarray(0, -tagBytes))
    try {
      // Nothing is put in its place before the tag is known to be right.
      decipher.final()
    } catch {
      return false
    }
    move(content, plain)
    return true
  },
}
