import { createHash } from 'node:crypto'
import type { FillingSource } from '../src/base/byte-source.ts'
import { concat } from '../src/base/bytes.ts'

/** Bytes that look random and are the same in every run. */
export function someBytes(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let state = seed
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}

/** Bytes in pieces of a size. */
export async function* inChunks(bytes: Uint8Array, chunkBytes = 10_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield await Promise.resolve(bytes.slice(start, start + chunkBytes))
  }
}

/**
 * Bytes that are written where they are wanted.
 * @param most maximum bytes per chunk
 */
export function filling(bytes: Uint8Array, most = Infinity): FillingSource {
  let at = 0
  return {
    fill: (into) => {
      const next = bytes.subarray(at, at + Math.min(most, into.length))
      into.set(next)
      at += next.length
      return Promise.resolve(next.length)
    },
  }
}

export const collected = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  concat(await Array.fromAsync(chunks))

/** What came, and the error that ended it. */
export async function outcomeOf(chunks: AsyncIterable<Uint8Array>) {
  const pieces: Uint8Array[] = []
  let error: unknown
  try {
    for await (const chunk of chunks) pieces.push(chunk)
  } catch (reason) {
    error = reason
  }
  return { bytes: concat(pieces), error }
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
