import { boundedBufferPool } from '../bounded-buffer-pool.ts'

/** Buffers for response bodies. A small buffer is always available; the number of large ones is limited. */
export interface BufferPool {
  /** Bytes of a large buffer. */
  readonly size: number
  /** The number of large buffers that are available. */
  readonly available: () => number
  /**
   * A buffer with arbitrary content: a large one if the bytes need it and one is available, otherwise a small one.
   * @param bytes the number of bytes that follow
   * @param use `ahead` when other buffers of the caller are still being sent: the caller then gets a small one if half
   * of the large ones are in use, so that a few stalled clients cannot occupy all of them
   */
  readonly acquire: (bytes: number, use: 'first' | 'ahead') => Uint8Array
  /** Returns a buffer that is no longer read or written. */
  readonly release: (buffer: Uint8Array) => void
  /** Gives up a buffer whose memory may still be in use, for example by a write to a connection that was cut. */
  readonly discard: (buffer: Uint8Array) => void
  /**
   * Gives the free buffers to the garbage collector.
   * @returns their bytes
   */
  readonly trim: () => number
}

/** Bytes of a small buffer. */
export const smallBuffer = 64 * 1024

/** The maximum number of free small buffers; the garbage collector frees others. */
const maxFreeSmall = 64

/** @param count the maximum number of large buffers */
export function bufferPool({ size = 512 * 1024, count = 32 } = {}): BufferPool {
  const largeBuffers = boundedBufferPool({
    size,
    count,
    allocate: (bytes) => Buffer.allocUnsafeSlow(bytes),
  })
  const smallBuffers: Uint8Array[] = []
  return {
    size,
    available: largeBuffers.available,
    acquire(bytes, use) {
      const usesLarge = bytes > smallBuffer && (use === 'first' || largeBuffers.available() > count / 2)
      const taken = usesLarge ? largeBuffers.acquire() : undefined
      return taken ?? smallBuffers.pop() ?? Buffer.allocUnsafeSlow(smallBuffer)
    },
    release(buffer) {
      if (buffer.length === size) largeBuffers.release(buffer)
      else if (smallBuffers.length < maxFreeSmall) smallBuffers.push(buffer)
    },
    discard(buffer) {
      if (buffer.length === size) largeBuffers.discard()
    },
    trim: () => largeBuffers.trim() + smallBuffers.splice(0).length * smallBuffer,
  }
}
