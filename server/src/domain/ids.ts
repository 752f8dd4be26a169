import { base62, limits } from '@svc/contract'

/** Fills memory with bytes from a secure source, as `crypto.getRandomValues` does. */
export type Random = (into: Uint8Array<ArrayBuffer>) => void

/**
 * A random text whose characters are uniformly distributed.
 * @param alphabet at most 256 characters
 */
export function randomText(random: Random, length: number, alphabet: string = base62): string {
  // Bytes beyond the largest multiple of the alphabet's size would favour its first characters.
  const uniformLimit = 256 - (256 % alphabet.length)
  const bytes = new Uint8Array(length + 16)
  let text = ''
  while (text.length < length) {
    random(bytes)
    for (const byte of bytes) {
      if (byte < uniformLimit) text += alphabet.charAt(byte % alphabet.length)
      if (text.length === length) break
    }
  }
  return text
}

/** The id of an upload, a file, a claim or an instance. */
export const randomId = (random: Random): string => randomText(random, limits.idLength)

export const randomRequestToken = (random: Random): string => randomText(random, limits.requestTokenLength)

export const randomUploadToken = (random: Random): string => randomText(random, limits.uploadTokenLength)

const wellFormedId = /^[0-9A-Za-z]{16}$/

/** Whether an external value is a well-formed id. Checked before any look-up. */
export const isId = (value: string): boolean => wellFormedId.test(value)

/** Enough to distinguish lines of the log, and too little to guess the id. A value that is not an id is not logged. */
export const shortId = (id: string): string => (isId(id) ? `${id.slice(0, 4)}…` : '…')
