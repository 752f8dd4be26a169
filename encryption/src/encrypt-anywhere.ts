import { batchesOf } from './batches-of.ts'
import { readFrom, type ByteSource } from './byte-source.ts'
import { joined } from './bytes.ts'
import { exactly, requireRange, shifted, type ByteRange } from './chunk-ranges.ts'
import type { Engine } from './engine.ts'
import { sealBatchWith, type EncryptOptions } from './encrypt-stream.ts'
import { chunkBytes, payloadNonceBytes, sealedChunkBytes } from './format.ts'
import { inOrder } from './in-order.ts'
import { payloadKey } from './payload-key.ts'
import { systemRandom } from './scrypt-stanza.ts'

/**
 * A content that can be read anywhere, and is the same each time: two contents encrypted with one key and one nonce would
 * give both away. A browser's `File` is such a content, since its bytes can no longer be read once the file has changed.
 */
export interface PlainBytes {
  /** Bytes of the content. */
  readonly size: number
  readonly read: (range: ByteRange, signal?: AbortSignal) => ByteSource | Promise<ByteSource>
}

/** An encrypted file that is made where it is read: the same bytes each time. */
export interface SealedFile {
  /** Bytes of the encrypted file. */
  readonly size: number
  /**
   * Some of the encrypted file. Reads the chunks around it: up to 64 KiB more at each side.
   * @throws EncryptionError `size_mismatch` when the content is not as long as it was said to be; RangeError for a range
   * that is none of this file
   */
  readonly read: (range: ByteRange, signal?: AbortSignal) => AsyncGenerator<Uint8Array<ArrayBuffer>, void>
}

/** What every read needs to know. */
interface Sealing {
  readonly content: PlainBytes
  readonly engine: Engine
  readonly key: Uint8Array<ArrayBuffer>
  /** The header with the nonce that follows it. */
  readonly head: Uint8Array<ArrayBuffer>
}

/** Some chunks in a row, sealed. */
async function* sealedChunksOf(
  { content, engine, key }: Sealing,
  chunks: ByteRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const start = chunks.start * chunkBytes
  const end = Math.min(chunks.end * chunkBytes, content.size)
  const reader = readFrom(await content.read({ start, end }, signal), signal)
  try {
    const batches = batchesOf(exactly(reader, end - start), chunkBytes)
    const shift = shifted(batches, chunks.start, end === content.size)
    yield* inOrder(shift, engine.lanes, (batch) => sealBatchWith(engine, key, batch))
  } finally {
    await reader.stop()
  }
}

async function* readSealed(
  sealing: Sealing,
  { start, end }: ByteRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { head } = sealing
  if (start < Math.min(end, head.length)) yield head.slice(start, end)
  const from = Math.max(0, start - head.length)
  const to = end - head.length
  if (to <= from) return
  const chunks = { start: Math.floor(from / sealedChunkBytes), end: Math.ceil(to / sealedChunkBytes) }
  let at = chunks.start * sealedChunkBytes
  for await (const bytes of sealedChunksOf(sealing, chunks, signal)) {
    signal?.throwIfAborted()
    const wanted = bytes.subarray(Math.max(0, from - at), Math.max(0, to - at))
    at += bytes.length
    if (wanted.length > 0) yield wanted
  }
}

/**
 * Encrypts any range of a file when it is asked for, so that an upload can go on where it was cut without keeping what was
 * sent. Make one for each file, with an envelope of its own.
 */
export function encryptAnywhere(
  content: PlainBytes,
  { envelope, engine, random = systemRandom }: Omit<EncryptOptions, 'signal'>,
): SealedFile {
  const nonce = new Uint8Array(payloadNonceBytes)
  random(nonce)
  const key = payloadKey(envelope.fileKey, nonce)
  const sealing = { content, engine, key, head: joined([envelope.header, nonce]) }
  const size = envelope.encryptedSize(content.size)
  return {
    size,
    read: (range, signal) => {
      requireRange(range, size)
      return readSealed(sealing, range, signal)
    },
  }
}
