import type { FileHandle } from 'node:fs/promises'

const pieceBytes = 512 * 1024

/**
 * The bytes of a file, each piece overwritten by the next: as `encryptStream` and `decryptStream` allow.
 * A stream of Node makes a new buffer for each, and the garbage collector then works as much as the cipher.
 */
export async function* readPieces(file: FileHandle): AsyncGenerator<Uint8Array, void> {
  const buffer = new Uint8Array(pieceBytes)
  for (;;) {
    const { bytesRead } = await file.read(buffer)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

/** Writes chunks to a file, and gives the memory of each back at once, for the same reason: nobody else may hold them. */
export async function writePieces(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<void> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
    chunk.buffer.transfer(0)
  }
}
