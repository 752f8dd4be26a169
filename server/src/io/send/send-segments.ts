import type { Writable } from 'node:stream'
import type { RandomReader } from '../../data/backend/backend.ts'
import type { BufferPool } from './buffer-pool.ts'
import { detachBuffer } from '../detach-buffer.ts'
import { responseWriter, type ResponseWriter } from './response-writer.ts'
import { writeCoalescer, type WriteCoalescer } from './write-coalescer.ts'
import { ignore } from '../../domain/ignore.ts'

/** A segment of a body: bytes in memory, a range of a stored file, or a stream. Lengths are bytes. */
export type Segment = (
  | { readonly bytes: Uint8Array }
  | { readonly reader: () => Promise<RandomReader>; readonly start: number; readonly length: number }
  /** The reader owns each chunk. Without a length, all bytes of the stream are sent. */
  | { readonly source: () => Promise<AsyncIterable<Uint8Array>>; readonly length?: number }
) & {
  /** Its last bytes share no chunk with the next segment, so that they count as flushed by themselves. */
  readonly endsChunk?: boolean
}

export interface SendOptions {
  readonly buffers: BufferPool
  readonly signal?: AbortSignal
  /** Called before the first byte is written. After an earlier failure another response can be sent. */
  readonly begin?: () => void
  /**
   * Awaited before the last chunk of the last segment is written, when everything before it is flushed. A rejection
   * cuts the connection.
   */
  readonly beforeLast?: () => Promise<void>
  /** Called after each flush with the number of bytes flushed so far. */
  readonly onProgress?: (flushed: number) => void
  /** Cuts the connection; by default closes it. */
  readonly cut?: () => void
}

/** The number of bytes of a segment differs from the announced one. */
export class WrongLengthError extends Error {
  override readonly name = 'WrongLengthError'
}

/**
 * Sends a response body: writes all segments and ends the response. Resolves when the last byte has been flushed to the
 * socket. On a failure the connection is cut, because a truncated body must not look complete.
 * @throws SendAborted when the connection was closed before the end or the signal was aborted
 * @throws WrongLengthError
 * @throws the errors of segments and of `beforeLast`
 */
export async function sendSegments(
  segments: Iterable<Segment> | AsyncIterable<Segment>,
  to: Writable,
  options: SendOptions,
): Promise<void> {
  const writer = responseWriter(to, options)
  const inMemory = onlyBytes(segments)
  if (inMemory !== null && options.beforeLast === undefined) {
    try {
      await writer.end(inMemory, ignore)
    } finally {
      writer.close()
    }
    return
  }
  const coalescer = writeCoalescer(writer, options)
  try {
    for await (const segment of segments) {
      if ('bytes' in segment) await sendBytes(segment.bytes, coalescer)
      else if ('reader' in segment) await sendStored(await segment.reader(), segment, coalescer)
      else await sendStream(await segment.source(), segment, coalescer, writer)
      if (segment.endsChunk === true) coalescer.flush()
    }
    await coalescer.finish()
  } finally {
    coalescer.close()
    writer.close()
  }
}

/** The bytes of a body that is in memory: it needs no buffer of the pool, which saves small downloads 3 µs. */
function onlyBytes(segments: Iterable<Segment> | AsyncIterable<Segment>): Uint8Array | null {
  if (!Array.isArray(segments) || segments.length !== 1) return null
  const [only] = segments as readonly Segment[]
  return only !== undefined && 'bytes' in only ? only.bytes : null
}

async function sendBytes(bytes: Uint8Array, coalescer: WriteCoalescer): Promise<void> {
  let offset = 0
  while (offset < bytes.length) {
    const memory = await coalescer.reserve(bytes.length - offset)
    const part = bytes.subarray(offset, offset + memory.length)
    memory.set(part)
    coalescer.commit(part.length)
    offset += part.length
  }
}

async function sendStored(
  reader: RandomReader,
  { start, length }: { readonly start: number; readonly length: number },
  coalescer: WriteCoalescer,
): Promise<void> {
  try {
    let offset = 0
    while (offset < length) {
      const memory = await coalescer.reserve(length - offset)
      const count = await reader.read(memory.subarray(0, length - offset), start + offset)
      if (count === 0) throw wrongLength(offset, length)
      coalescer.commit(count)
      offset += count
    }
  } finally {
    // Nothing depends on closing the reader, so it is not awaited.
    reader.close().catch(ignore)
  }
}

/** Smaller chunks of a stream are coalesced. */
const minDirectBytes = 16 * 1024

/** The maximum number of unflushed chunks of a stream. Chunks from the network have 64 KiB. */
const maxUnflushedChunks = 4

async function sendStream(
  source: AsyncIterable<Uint8Array>,
  { length }: { readonly length?: number },
  coalescer: WriteCoalescer,
  writer: ResponseWriter,
): Promise<void> {
  const chunks = source[Symbol.asyncIterator]()
  let size = 0
  let isOver = false
  try {
    for (;;) {
      const result = await writer.whileOpen(chunks.next())
      if (result.done === true) {
        isOver = true
        break
      }
      size += result.value.length
      if (length !== undefined && size > length) break
      // The last bytes of a known length are held back until the source has ended successfully.
      if (result.value.length >= minDirectBytes && size !== length) {
        coalescer.flush()
        await writer.waitForFlush(maxUnflushedChunks)
        const chunk = result.value
        writer.writeBatched(chunk, () => {
          detachBuffer(chunk)
        })
        continue
      }
      await sendBytes(result.value, coalescer)
      // Received bytes are sent without delay: the next bytes of a live stream may take long.
      if (size !== length) coalescer.flush()
    }
  } finally {
    if (!isOver) Promise.resolve(chunks.return?.()).catch(ignore)
  }
  if (length !== undefined && size !== length) throw wrongLength(size, length)
}

const wrongLength = (size: number, length: number) =>
  new WrongLengthError(`a segment of ${String(length)} bytes has ${String(size)}`)
