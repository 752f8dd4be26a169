/** A bounded pool of equal buffers, which are allocated when first needed and reused. */
export interface BoundedBufferPool {
  /** Bytes of each buffer. */
  readonly size: number
  /** The number of buffers that are available now. */
  readonly available: () => number
  /** A buffer with arbitrary content, or undefined when all are in use: the pool never exceeds its bound. */
  readonly acquire: () => Uint8Array | undefined
  /** Returns a buffer that is no longer read or written. */
  readonly release: (buffer: Uint8Array) => void
  /**
   * Gives up a buffer whose memory may still be in use. The garbage collector frees it, and the pool may allocate another.
   */
  readonly discard: () => void
  /**
   * Gives the free buffers to the garbage collector.
   * @returns their bytes
   */
  readonly trim: () => number
}

export interface BoundedBufferPoolOptions {
  /** Bytes of each buffer. */
  readonly size: number
  readonly count: number
  readonly allocate: (size: number) => Uint8Array
}

export function boundedBufferPool({ size, count, allocate }: BoundedBufferPoolOptions): BoundedBufferPool {
  const free: Uint8Array[] = []
  let taken = 0
  return {
    size,
    available: () => count - taken,
    acquire() {
      if (taken === count) return undefined
      const buffer = free.pop() ?? allocate(size)
      taken += 1
      return buffer
    },
    release(buffer) {
      taken -= 1
      free.push(buffer)
    },
    discard() {
      taken -= 1
    },
    trim: () => free.splice(0).length * size,
  }
}
