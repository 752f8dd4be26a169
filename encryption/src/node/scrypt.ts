import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { ScryptWork } from '../engine/engine.ts'

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt)
const keyBytes = 32
/** More than the memory of the highest accepted cost. */
const maxScryptBytes = 2 ** 31 - 1

/** scrypt of OpenSSL, on a thread of Node's pool. */
export const nodeScrypt = async ({ passphrase, salt, logN }: ScryptWork): Promise<Uint8Array<ArrayBuffer>> =>
  Uint8Array.from(
    await derive(passphrase, salt, keyBytes, { N: 2 ** logN, r: 8, p: 1, maxmem: maxScryptBytes }),
  )
