import { concat } from './bytes.ts'

/** Bytes as a source of one chunk. */
export async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

/** All bytes of chunks, in memory. */
export async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  // The memory of a chunk may be used again.
  for await (const chunk of chunks) parts.push(chunk.slice())
  return concat(parts)
}
