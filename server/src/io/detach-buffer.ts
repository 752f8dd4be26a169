/** Smaller chunks are left to the garbage collector: to let go of them one by one costs more than it saves. */
const leastReleased = 16 * 1024

/**
 * Lets go of the memory of a chunk that nobody needs any more. Left to the garbage collector, the chunks of a large body
 * keep it running all the time, for a fifth of all that the processor does, and 60 to 100 MB of them wait for it.
 * Memory of which the chunk is only a part is left alone: others may use the rest.
 */
export function detachBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < leastReleased || byteLength < buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
