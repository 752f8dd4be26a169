import { hash } from 'node:crypto'
import { base62, limits } from '@svc/contract'

/** Bytes beyond the largest multiple of the alphabet's size would favour its first characters. */
const uniformLimit = 256 - (256 % base62.length)

/**
 * The id of an upload or file that has another kind of id in its service. It follows from the old address, so that an import
 * that is run again finds what it has imported, and a table of addresses can be written at any time. Like the old address, it
 * is as hard to guess as what it is derived from.
 */
export function derivedId(...address: readonly string[]): string {
  let text = ''
  for (let round = 0; ; round += 1)
    for (const byte of hash('sha512', JSON.stringify([...address, round]), 'buffer')) {
      if (byte < uniformLimit) text += base62.charAt(byte % base62.length)
      if (text.length === limits.idLength) return text
    }
}
