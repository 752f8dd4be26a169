/** Smaller chunks are left to the garbage collector: detaching each of them costs more than it saves. */
const minDetachedBytes = 16 * 1024

/**
 * Releases the memory of a chunk that is no longer needed. Otherwise the chunks of large bodies keep the garbage
 * collector busy for a fifth of the processor time, and occupy 60 to 100 MB. Memory of which the chunk is only a part
 * is not released: the rest may be in use.
 */
export function detachBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < minDetachedBytes || byteLength < buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
