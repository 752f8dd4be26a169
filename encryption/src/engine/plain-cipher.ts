import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import type { ChunkCipher } from './chunk-cipher.ts'

/** ChaCha20-Poly1305 in JavaScript: works everywhere, at a tenth of the native speed. */
export const plainCipher: ChunkCipher = {
  encrypt: (key, nonce, plain, encrypted) => {
    chacha20poly1305(key, nonce).encrypt(plain, encrypted)
  },
  decrypt: (key, nonce, encrypted, plain) => {
    try {
      // The tag is compared before the first byte is written.
      chacha20poly1305(key, nonce).decrypt(encrypted, plain)
      return true
    } catch {
      return false
    }
  },
}
