import type { FileHandle } from 'node:fs/promises'
import type { Engine } from '../engine.ts'

const pieceBytes = 1024 * 1024

/**
 * The bytes of a file, each piece overwritten when the next is asked for: as `encryptStream` and `decryptStream` allow. While
 * one is worked on, the next is read. A stream of Node makes a new buffer for each, and the garbage collector then works
 * as much as the cipher.
 */
export async function* readPieces(file: FileHandle): AsyncGenerator<Uint8Array, void> {
  let [current, next] = [new Uint8Array(pieceBytes), new Uint8Array(pieceBytes)]
  const readInto = (buffer: Uint8Array) => {
    const reading = file.read(buffer)
    // Whoever stops asking is not told; whoever asks is.
    reading.catch(() => undefined)
    return reading
  }
  for (let reading = readInto(current); ; [current, next] = [next, current]) {
    const { bytesRead } = await reading
    if (bytesRead === 0) return
    reading = readInto(next)
    yield current.subarray(0, bytesRead)
  }
}

/**
 * Writes chunks to a file, and gives the memory of each back to the engine that made them: nobody else may hold them. While
 * one is written, the next may be made.
 */
export async function writePieces(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { memory }: Pick<Engine, 'memory'>,
): Promise<void> {
  const write = async (chunk: Uint8Array<ArrayBuffer>) => {
    for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
    memory.giveBack(chunk.buffer)
  }
  let writing = Promise.resolve()
  try {
    for await (const chunk of chunks) {
      await writing
      writing = write(chunk)
      writing.catch(() => undefined)
    }
  } finally {
    // Nobody may close the file before.
    await writing
  }
}
