/** A bounded number of equal buffers, made when first needed and used again and again. */
export interface BufferPool {
  /** Bytes of each buffer. */
  readonly size: number
  /** How many buffers could be taken now. */
  readonly available: number
  /** A buffer with arbitrary content, or nothing when all are taken: the pool never grows past its bound. */
  take(): Uint8Array | undefined
  /** Gives a buffer back that nothing reads or writes any more. */
  give(buffer: Uint8Array): void
  /**
   * Gives a buffer up whose memory may still be in use (a write to a connection that was cut).
   * It is left to the garbage collector, and a new one may take its place.
   */
  forfeit(): void
}

export interface BufferPoolOptions {
  /** Bytes of each buffer; 512 KiB unless told otherwise. */
  readonly size?: number
  /** How many there may be; 32 unless told otherwise. */
  readonly count?: number
  readonly allocate?: (size: number) => Uint8Array
}

export function bufferPool({
  size = 512 * 1024,
  count = 32,
  allocate = (bytes) => Buffer.allocUnsafeSlow(bytes),
}: BufferPoolOptions = {}): BufferPool {
  const free: Uint8Array[] = []
  let taken = 0
  return {
    size,
    get available() {
      return count - taken
    },
    take() {
      if (taken === count) return undefined
      taken += 1
      return free.pop() ?? allocate(size)
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
