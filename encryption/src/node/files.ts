import type { FileHandle } from 'node:fs/promises'
import type { FillingSource } from '../base/byte-source.ts'
import type { Engine } from '../engine/engine.ts'

/** The bytes of a file, from where it stands, read to where they are wanted. @throws what the system says of the file */
export const bytesOf = (file: FileHandle): FillingSource => ({
  fill: async (into) => (await file.read(into)).bytesRead,
})

/**
 * Writes chunks to a file, and gives the memory of each back to the engine that made them: the caller must not keep them. While
 * one is written, the next may be made.
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
  let writing = Promise.resolve()
  try {
    for await (const chunk of chunks) {
      await writing
      writing = write(chunk)
      writing.catch(() => undefined)
    }
  } finally {
    // The file must stay open until then.
    await writing
  }
}
