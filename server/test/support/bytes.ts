/** Pseudo-random bytes that are the same each time; another seed yields others. */
export function bytesOf(size: number, seed = 1): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let state = seed * 2_654_435_761
  for (let index = 0; index < size; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}

/** The bytes in chunks that share one buffer, so that a chunk that is kept too long has wrong content. */
// eslint-disable-next-line @typescript-eslint/require-await -- a source is asynchronous
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  const memory = new Uint8Array(size)
  for (let offset = 0; offset < bytes.length; offset += size) {
    const part = bytes.subarray(offset, offset + size)
    memory.set(part)
    yield memory.subarray(0, part.length)
    memory.fill(0)
  }
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(Buffer.from(chunk))
  return Buffer.concat(all)
}
