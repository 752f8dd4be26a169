import { scryptAsync } from '@noble/hashes/scrypt.js'
import { decryptBatch, encryptBatch } from './chunk-cipher.ts'
import type { Engine, ScryptWork } from './engine.ts'
import { plainCipher } from './plain-cipher.ts'
import { createMemoryPool } from './memory-pool.ts'

const keyBytes = 32
/** More than the memory of the highest accepted cost. */
const maxScryptBytes = 2 ** 31

/** scrypt in JavaScript, with pauses: a second or more at the usual cost. */
export const plainScrypt = async ({ passphrase, salt, logN }: ScryptWork): Promise<Uint8Array<ArrayBuffer>> =>
  await scryptAsync(passphrase, salt, { N: 2 ** logN, r: 8, p: 1, dkLen: keyBytes, maxmem: maxScryptBytes })

const soon = <T>(work: () => T): Promise<T> => Promise.resolve().then(work)

/** Encrypts in JavaScript on the calling thread, for environments without threads and native ciphers. */
export const createPlainEngine = (): Engine => ({
  concurrency: 1,
  memory: createMemoryPool(3),
  encrypt: (key, batch) =>
    soon(() => {
      encryptBatch(plainCipher, key, batch)
      return batch.buffer
    }),
  decrypt: (key, batch) =>
    soon(() => ({ decrypted: decryptBatch(plainCipher, key, batch), buffer: batch.buffer })),
  scrypt: plainScrypt,
  close: () => Promise.resolve(),
})
