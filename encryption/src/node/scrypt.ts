import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { ScryptWork } from '../engine/engine.ts'

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt)
const keyBytes = 32
/** Beyond what the highest cost that is accepted needs. */
const maxScryptBytes = 2 ** 31 - 1

/** OpenSSL's, on a thread of Node's own. */
export const nodeScrypt = async ({ passphrase, salt, logN }: ScryptWork): Promise<Uint8Array<ArrayBuffer>> =>
  Uint8Array.from(
    await derive(passphrase, salt, keyBytes, { N: 2 ** logN, r: 8, p: 1, maxmem: maxScryptBytes }),
  )
