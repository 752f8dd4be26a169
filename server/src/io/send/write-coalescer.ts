import { smallBuffer, type BufferPool } from './buffer-pool.ts'
import type { ResponseWriter } from './response-writer.ts'

/** Gathers bytes into pieces of a good size, each in a buffer that is used again once it is flushed. */
export interface WriteCoalescer {
  /**
   * Memory for the next bytes, at least one byte; waits for the connection where it must.
   * @param bytes how many are to come
   * @throws SendAborted
   */
  readonly room: (bytes: number) => Promise<Uint8Array>
  /** So many bytes were put there. */
  readonly filled: (bytes: number) => void
  /** Hands over what is there, rather than waiting for more. */
  readonly flush: () => void
  /** Hands over the last piece, and ends the response. Resolves when all is flushed. @throws SendAborted */
  readonly finish: () => Promise<void>
  /** Gives the memory back. */
  readonly close: () => void
}

export interface WriteCoalescerOptions {
  readonly buffers: BufferPool
  /** Awaited before the last piece is handed over, when all the others are flushed. */
  readonly beforeLast?: () => Promise<void>
}

/**
 * Where the last piece matters, a piece is at most a sixteenth of what went before, and the last is small: bytes
 * count when their whole piece is flushed, and that count decides whether a body may be asked for again.
 */
const carefulShare = 16

export function writeCoalescer(
  exit: ResponseWriter,
  { buffers, beforeLast }: WriteCoalescerOptions,
): WriteCoalescer {
  const inFlight = new Set<Uint8Array>()
  let buffer: Uint8Array | undefined
  let length = 0
  let passed = 0

  const limit = () =>
    beforeLast === undefined ? Infinity : Math.max(smallBuffer, Math.floor(passed / carefulShare))
  const isFull = (memory: Uint8Array) => length >= Math.min(memory.length, limit())

  /** The memory of the gathered bytes leaves with them; the answer gives it back when they are flushed. */
  const release = (memory: Uint8Array) => {
    buffer = undefined
    length = 0
    inFlight.add(memory)
    return () => {
      inFlight.delete(memory)
      buffers.give(memory)
    }
  }
  const gathered = (memory: Uint8Array) => memory.subarray(0, length)
  const flush = () => {
    if (buffer === undefined || length === 0) return
    const piece = gathered(buffer)
    passed += piece.length
    exit.write(piece, release(buffer))
  }

  return {
    async room(bytes) {
      if (buffer !== undefined && isFull(buffer)) flush()
      // Two buffers are enough: one is filled while the other is sent. More were measured, and bring nothing.
      if (buffer === undefined) {
        await exit.drained(1)
        buffer = buffers.take(Math.min(bytes, limit()), exit.unflushed() === 0 ? 'first' : 'ahead')
      }
      return buffer.subarray(length, Math.min(buffer.length, limit()))
    },
    filled(bytes) {
      length += bytes
    },
    flush,
    async finish() {
      let last = buffer === undefined ? nothing : gathered(buffer)
      const free = buffer === undefined ? ignore : release(buffer)
      if (beforeLast !== undefined) {
        const start = Math.max(0, last.length - smallBuffer)
        if (start > 0) exit.write(last.subarray(0, start), ignore)
        last = last.subarray(start)
        await exit.drained(0)
        await beforeLast()
      }
      await exit.end(last, free)
    },
    close() {
      if (buffer !== undefined) buffers.give(buffer)
      buffer = undefined
      inFlight.forEach(buffers.forfeit)
      inFlight.clear()
    },
  }
}

const nothing = new Uint8Array()

function ignore(): void {
  // The memory is needed for one more piece, or there is none.
}
