import type { Writable } from 'node:stream'
import type { RandomReader } from '../../data/backend/backend.ts'
import type { BufferPool } from './buffer-pool.ts'
import { detachBuffer } from '../detach-buffer.ts'
import { responseWriter, type ResponseWriter } from './response-writer.ts'
import { writeCoalescer, type WriteCoalescer } from './write-coalescer.ts'

/** A part of a body: bytes at hand, a part of something stored, or what a stream brings. Lengths are bytes. */
export type Segment =
  | { readonly bytes: Uint8Array }
  | { readonly reader: () => Promise<RandomReader>; readonly start: number; readonly length: number }
  /** Each chunk belongs to whoever reads it. Without a length: all that comes, however much that is. */
  | { readonly source: () => Promise<AsyncIterable<Uint8Array>>; readonly length?: number }

export interface SendOptions {
  readonly buffers: BufferPool
  readonly signal?: AbortSignal
  /** Called before the first byte is handed over. What fails before leaves the connection to another answer. */
  readonly begin?: () => void
  /**
   * Awaited before the last piece of the last segment is handed over, when all before it is flushed.
   * A rejection cuts the connection.
   */
  readonly beforeLast?: () => Promise<void>
  /** Told after each flush: bytes handed to the socket so far. */
  readonly onProgress?: (flushed: number) => void
  /** How a connection is cut; closed unless told otherwise. */
  readonly cut?: () => void
}

/** A segment brought another number of bytes than it promised. */
export class WrongLengthError extends Error {
  override readonly name = 'WrongLengthError'
}

/**
 * The one way for bytes out of the service: sends all segments as the body of a response, and ends it.
 * Resolves once the last byte has been flushed to the socket. Otherwise the connection is cut: a body that is too
 * short must not look complete.
 * @throws SendAborted when the connection was closed before the end or the signal was aborted
 * @throws WrongLengthError
 * @throws whatever a segment or `beforeLast` throws
 */
export async function sendSegments(
  segments: Iterable<Segment> | AsyncIterable<Segment>,
  to: Writable,
  options: SendOptions,
): Promise<void> {
  const exit = responseWriter(to, options)
  const pack = writeCoalescer(exit, options)
  try {
    for await (const segment of segments) {
      if ('bytes' in segment) await sendBytes(segment.bytes, pack)
      else if ('reader' in segment) await sendStored(await segment.reader(), segment, pack)
      else await sendStream(await segment.source(), segment, pack, exit)
    }
    await pack.finish()
  } finally {
    pack.close()
    exit.close()
  }
}

async function sendBytes(bytes: Uint8Array, pack: WriteCoalescer): Promise<void> {
  let offset = 0
  while (offset < bytes.length) {
    const room = await pack.room(bytes.length - offset)
    const part = bytes.subarray(offset, offset + room.length)
    room.set(part)
    pack.filled(part.length)
    offset += part.length
  }
}

async function sendStored(
  reader: RandomReader,
  { start, length }: { readonly start: number; readonly length: number },
  pack: WriteCoalescer,
): Promise<void> {
  try {
    let offset = 0
    while (offset < length) {
      const room = await pack.room(length - offset)
      const count = await reader.read(room.subarray(0, length - offset), start + offset)
      if (count === 0) throw wrongLength(offset, length)
      pack.filled(count)
      offset += count
    }
  } finally {
    // Nothing depends on it, so nobody waits for it.
    reader.close().catch(ignore)
  }
}

/** Smaller chunks are gathered. */
const leastAlone = 16 * 1024

/** Chunks on their way out that are not flushed yet: of 64 KiB, as the network brings them. */
const chunksAhead = 4

async function sendStream(
  source: AsyncIterable<Uint8Array>,
  { length }: { readonly length?: number },
  pack: WriteCoalescer,
  exit: ResponseWriter,
): Promise<void> {
  const chunks = source[Symbol.asyncIterator]()
  let size = 0
  let over = false
  try {
    for (;;) {
      const result = await exit.whileOpen(chunks.next())
      if (result.done === true) {
        over = true
        break
      }
      size += result.value.length
      if (length !== undefined && size > length) break
      // The last bytes of a known length stay here until the source has ended well.
      if (result.value.length >= leastAlone && size !== length) {
        pack.flush()
        await exit.drained(chunksAhead)
        const chunk = result.value
        exit.writeTogether(chunk, () => {
          detachBuffer(chunk)
        })
        continue
      }
      await sendBytes(result.value, pack)
      // What has come goes out at once: the next bytes of a live stream may take their time.
      if (size !== length) pack.flush()
    }
  } finally {
    if (!over) Promise.resolve(chunks.return?.()).catch(ignore)
  }
  if (length !== undefined && size !== length) throw wrongLength(size, length)
}

const wrongLength = (size: number, length: number) =>
  new WrongLengthError(`a segment of ${String(length)} bytes brought ${String(size)}`)

function ignore(): void {
  // What is given up or handed on is nobody's affair here.
}
