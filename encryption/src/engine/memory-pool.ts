import type { Engine, MemoryPool } from './engine.ts'

/**
 * Keeps buffers of the size that was requested last.
 * @param maxBuffers maximum number of kept buffers
 */
export function createMemoryPool(maxBuffers: number): MemoryPool {
  let size = 0
  let spare: ArrayBuffer[] = []
  return {
    take(bytes) {
      if (bytes !== size) spare = []
      size = bytes
      return spare.pop() ?? new ArrayBuffer(bytes)
    },
    release(buffer) {
      if (buffer.byteLength === size && spare.length < maxBuffers) spare.push(buffer)
    },
  }
}

/** The same chunks; reading the next one reuses the memory of the one before. */
export async function* borrow(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { memory }: Pick<Engine, 'memory'>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for await (const chunk of chunks) {
    yield chunk
    memory.release(chunk.buffer)
  }
}
