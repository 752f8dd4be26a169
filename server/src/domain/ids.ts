import { base62, limits } from '@svc/contract'

/** Fills memory with bytes from a secure source, as `crypto.getRandomValues` does. */
export type Random = (into: Uint8Array<ArrayBuffer>) => void

/** The largest multiple of 62 that a byte can hold: bytes from there on would favour the first digits. */
const fair = 248

/** Base62 characters without bias. */
export function randomText(random: Random, length: number): string {
  const bytes = new Uint8Array(length + 16)
  let text = ''
  while (text.length < length) {
    random(bytes)
    for (const byte of bytes) {
      if (byte < fair) text += base62.charAt(byte % 62)
      if (text.length === length) break
    }
  }
  return text
}

/** Id of an upload, a file, a claim or an instance. */
export const randomId = (random: Random): string => randomText(random, limits.idLength)

export const randomUploadToken = (random: Random): string => randomText(random, limits.uploadTokenLength)

const wellFormedId = /^[0-9A-Za-z]{16}$/

/** Whether a value from outside can be an id at all; asked before any look-up. */
export const isId = (value: string): boolean => wellFormedId.test(value)
