import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { ScryptWork } from '../engine/engine.ts'

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt)
const keyBytes = 32
/** More than the memory of the highest accepted cost. */
const maxScryptBytes = 2 ** 31 - 1

/** scrypt of OpenSSL, on a thread of Node's pool. */
export async function nodeScrypt({ passphrase, salt, logN }: ScryptWork): Promise<Uint8Array<ArrayBuffer>> {
  const options = { N: 2 ** logN, r: 8, p: 1, maxmem: maxScryptBytes }
  const derived = await derive(passphrase, salt, keyBytes, options)
  const key = Uint8Array.from(derived)
  derived.fill(0)
  return key
}
