import { boundedBufferPool } from '../bounded-buffer-pool.ts'

/** Memory for bodies on their way out. There is always a small buffer, and a big one while there are some left. */
export interface BufferPool {
  /** Bytes of a big buffer. */
  readonly size: number
  /** How many big buffers could be taken now. */
  readonly available: () => number
  /**
   * A buffer with arbitrary content: a big one when the bytes need it, or else a small one.
   * @param bytes how many are to come
   * @param use `ahead` when the taker waits for others of its buffers to be sent: it then gets no more than a small
   *   one once half of the big ones are taken, so that few clients that do not read cannot take them all
   */
  readonly take: (bytes: number, use: 'first' | 'ahead') => Uint8Array
  /** Takes a buffer back that nothing reads or writes any more. */
  readonly give: (buffer: Uint8Array) => void
  /** Takes leave of a buffer whose memory may still be in use, such as a write to a connection that was cut. */
  readonly forfeit: (buffer: Uint8Array) => void
}

/** Bytes of a small buffer. */
export const smallBuffer = 64 * 1024

/** So many free small buffers are kept; more are left to the garbage collector. */
const keptSmall = 64

/** @param big how many big buffers there may be */
export function bufferPool({ size = 512 * 1024, big = 32 } = {}): BufferPool {
  const bigOnes = boundedBufferPool({ size, count: big, allocate: (bytes) => Buffer.allocUnsafeSlow(bytes) })
  const smallOnes: Uint8Array[] = []
  return {
    size,
    available: bigOnes.available,
    take(bytes, use) {
      const mayTakeBig = bytes > smallBuffer && (use === 'first' || bigOnes.available() > big / 2)
      const taken = mayTakeBig ? bigOnes.take() : undefined
      return taken ?? smallOnes.pop() ?? Buffer.allocUnsafeSlow(smallBuffer)
    },
    give(buffer) {
      if (buffer.length === size) bigOnes.give(buffer)
      else if (smallOnes.length < keptSmall) smallOnes.push(buffer)
    },
    forfeit(buffer) {
      if (buffer.length === size) bigOnes.forfeit()
    },
  }
}
