import { placeToOpen, placeToSeal, plainChunks, sealedChunks } from '../batch.ts'
import type { Engine } from '../engine.ts'

const name = 'ChaCha20-Poly1305'
/** Batches at a time: with up to sixteen chunks each, they keep the threads of the browser busy. */
const lanes = 2

type Bytes = Uint8Array<ArrayBuffer>

/** Keys of this kind have a format of their own (WICG, "Modern Algorithms in the Web Cryptography API"). */
const importKey = (bytes: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw-secret' as 'raw', bytes, { name }, false, ['encrypt', 'decrypt'])

/** Whether this browser has the cipher, and this page may use it: pages over HTTP may not. */
async function isThere(): Promise<boolean> {
  try {
    await importKey(new Uint8Array(32))
    return true
  } catch {
    return false
  }
}

/** The cipher of WebCrypto; undefined where there is none. */
export async function nativeChunks(): Promise<Pick<Engine, 'lanes' | 'seal' | 'open'> | undefined> {
  if (!(await isThere())) return undefined
  const keys = new WeakMap<Bytes, Promise<CryptoKey>>()
  const keyOf = (bytes: Bytes): Promise<CryptoKey> => {
    const key = keys.get(bytes) ?? importKey(bytes)
    keys.set(bytes, key)
    return key
  }

  return {
    lanes,
    seal: async (bytes, batch) => {
      const key = await keyOf(bytes)
      const sealOne = async (index: number): Promise<void> => {
        const { nonce: iv, plain, sealed } = placeToSeal(batch, index)
        sealed.set(new Uint8Array(await crypto.subtle.encrypt({ name, iv }, key, plain)))
      }
      await Promise.all(Array.from({ length: plainChunks(batch) }, (_, index) => sealOne(index)))
      return batch.buffer
    },
    open: async (bytes, batch) => {
      const key = await keyOf(bytes)
      const openOne = async (index: number): Promise<Bytes | undefined> => {
        const { nonce: iv, sealed } = placeToOpen(batch, index)
        try {
          return new Uint8Array(await crypto.subtle.decrypt({ name, iv }, key, sealed))
        } catch {
          return undefined
        }
      }
      const contents = await Promise.all(
        Array.from({ length: sealedChunks(batch) }, (_, index) => openOne(index)),
      )
      // Only now, since a content may begin where the chunk before it still was.
      const damaged = contents.indexOf(undefined)
      const opened = damaged === -1 ? contents.length : damaged
      for (const [index, content] of contents.slice(0, opened).entries()) {
        if (content) placeToOpen(batch, index).plain.set(content)
      }
      return { buffer: batch.buffer, opened }
    },
  }
}
