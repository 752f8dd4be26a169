/** A bounded number of equal buffers, made when first needed and used again and again. */
export interface BoundedBufferPool {
  /** Bytes of each buffer. */
  readonly size: number
  /** How many could be taken now. */
  readonly available: () => number
  /** A buffer with arbitrary content, or nothing when all are taken: the pool never grows past its bound. */
  readonly take: () => Uint8Array | undefined
  /** Takes a buffer back that nothing reads or writes any more. */
  readonly give: (buffer: Uint8Array) => void
  /**
   * Takes leave of a buffer whose memory may still be in use. It is left to the garbage collector, and a new one
   * may take its place.
   */
  readonly forfeit: () => void
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
    take() {
      if (taken === count) return undefined
      const buffer = free.pop() ?? allocate(size)
      taken += 1
      return buffer
    },
    give(buffer) {
      taken -= 1
      free.push(buffer)
    },
    forfeit() {
      taken -= 1
    },
  }
}
