import { smallBuffer, type BufferPool } from './buffer-pool.ts'
import type { ResponseWriter } from './response-writer.ts'
import { ignore } from '../../domain/ignore.ts'

/** Coalesces bytes into larger chunks, each in a buffer that is reused after its flush. */
export interface WriteCoalescer {
  /**
   * Memory for the next bytes, at least one byte. Waits until the connection has capacity.
   * @param bytes the number of bytes that follow
   * @throws SendAborted
   */
  readonly reserve: (bytes: number) => Promise<Uint8Array>
  /** Adds this number of bytes, which the caller has written to the memory. */
  readonly commit: (bytes: number) => void
  /** Writes the collected bytes without waiting for more. */
  readonly flush: () => void
  /**
   * Writes the last chunk and ends the response. Resolves when everything is flushed.
   * @throws SendAborted
   */
  readonly finish: () => Promise<void>
  /** Releases the memory. */
  readonly close: () => void
}

export interface WriteCoalescerOptions {
  readonly buffers: BufferPool
  /** Awaited before the last chunk is written, when all others are flushed. */
  readonly beforeLast?: () => Promise<void>
}

/**
 * With `beforeLast`, a chunk has at most a sixteenth of the bytes before it, and the last chunk is small. Bytes count when
 * their whole chunk is flushed, and this count decides whether a body can be requested again.
 */
const chunkFraction = 16

export function writeCoalescer(
  writer: ResponseWriter,
  { buffers, beforeLast }: WriteCoalescerOptions,
): WriteCoalescer {
  const inFlight = new Set<Uint8Array>()
  let buffer: Uint8Array | undefined
  let length = 0
  let written = 0

  const limit = () =>
    beforeLast === undefined ? Infinity : Math.max(smallBuffer, Math.floor(written / chunkFraction))
  const isFull = (memory: Uint8Array) => length >= Math.min(memory.length, limit())

  /**
   * Passes the buffer on with its bytes.
   * @returns a function that releases it after the flush
   */
  const passOn = (memory: Uint8Array) => {
    buffer = undefined
    length = 0
    inFlight.add(memory)
    return () => {
      inFlight.delete(memory)
      buffers.release(memory)
    }
  }
  const collectedBytes = (memory: Uint8Array) => memory.subarray(0, length)
  const flush = () => {
    if (buffer === undefined || length === 0) return
    const chunk = collectedBytes(buffer)
    written += chunk.length
    writer.write(chunk, passOn(buffer))
  }

  return {
    async reserve(bytes) {
      if (buffer !== undefined && isFull(buffer)) flush()
      // Two buffers are enough: one is filled while the other is sent. In measurements, more were not faster.
      if (buffer === undefined) {
        await writer.waitForFlush(1)
        buffer = buffers.acquire(Math.min(bytes, limit()), writer.unflushed() === 0 ? 'first' : 'ahead')
      }
      return buffer.subarray(length, Math.min(buffer.length, limit()))
    },
    commit(bytes) {
      length += bytes
    },
    flush,
    async finish() {
      let last = buffer === undefined ? noBytes : collectedBytes(buffer)
      // Without a buffer, no memory is released.
      const free = buffer === undefined ? ignore : passOn(buffer)
      if (beforeLast !== undefined) {
        const start = Math.max(0, last.length - smallBuffer)
        if (start > 0) writer.write(last.subarray(0, start), ignore)
        last = last.subarray(start)
        await writer.waitForFlush(0)
        await beforeLast()
      }
      await writer.end(last, free)
    },
    close() {
      if (buffer !== undefined) buffers.release(buffer)
      buffer = undefined
      inFlight.forEach(buffers.discard)
      inFlight.clear()
    },
  }
}

const noBytes = new Uint8Array()
