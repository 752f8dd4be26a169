/** Smaller chunks are left to the garbage collector: detaching each of them costs more than it saves. */
const minDetachedBytes = 16 * 1024

/**
 * Releases the memory of a chunk that is no longer needed. Otherwise garbage collection of the chunks of large bodies takes
 * a fifth of the processor time, and the chunks occupy 60 to 100 MB. The memory of a view on a larger buffer is not
 * released, because the remaining bytes may be in use.
 */
export function detachBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < minDetachedBytes || byteLength < buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
