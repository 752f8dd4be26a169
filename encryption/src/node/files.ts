import type { FileHandle } from 'node:fs/promises'
import type { FillingSource } from '../base/byte-source.ts'
import type { Engine } from '../engine/engine.ts'

/**
 * Reads a file from its current position into the caller's memory.
 * @throws errors of the system
 */
export const bytesOf = (file: FileHandle): FillingSource => ({
  fill: async (into) => (await file.read(into)).bytesRead,
})

/**
 * Writes chunks to a file, and returns the memory of each to the engine: the caller must not keep chunks. The next chunk is
 * made while one is written.
 */
export async function writeChunks(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { memory }: Pick<Engine, 'memory'>,
): Promise<void> {
  const write = async (chunk: Uint8Array<ArrayBuffer>) => {
    for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
    memory.release(chunk.buffer)
  }
  let lastWrite = Promise.resolve()
  try {
    for await (const chunk of chunks) {
      await lastWrite
      lastWrite = write(chunk)
      lastWrite.catch(() => undefined)
    }
  } finally {
    // The file must stay open until then.
    await lastWrite
  }
}
