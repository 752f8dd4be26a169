import { readBatches } from './read-batches.ts'
import { readFrom, type ByteReader, type ByteSource } from '../base/byte-source.ts'
import { exactly, requireRange, shifted, type ByteRange } from './chunk-ranges.ts'
import type { DecryptOptions } from './decrypt-stream.ts'
import type { Engine } from '../engine/engine.ts'
import { EncryptionError } from '../base/error.ts'
import { chunkBytes, payloadNonceBytes, encryptedChunkBytes } from '../base/format.ts'
import { readExactly, readHeader } from '../header/header-reader.ts'
import { runInOrder } from './run-in-order.ts'
import { decryptBatchSafely } from './decrypt-batch.ts'
import { openHeader } from '../header/open-header.ts'
import { payloadKey } from '../header/payload-key.ts'
import { plainSize } from '../base/sizes.ts'

/** A binary encrypted file with random access. */
export interface EncryptedBytes {
  /** Bytes of the whole file. */
  readonly size: number
  readonly read: (range: ByteRange, signal?: AbortSignal) => ByteSource | Promise<ByteSource>
}

/** The content of an encrypted file, with random access. */
export interface OpenedFile {
  /** Verified size of the content in bytes. */
  readonly size: number
  /**
   * A range of the content. Reads whole chunks: up to 64 KiB more at each side.
   * @throws EncryptionError `damaged_chunk`, `size_mismatch`; RangeError for a range that is none of this file
   */
  readonly read: (range: ByteRange, signal?: AbortSignal) => AsyncGenerator<Uint8Array<ArrayBuffer>, void>
}

/** Bytes of the first request. An ordinary header is shorter. */
const firstGuess = 4096
const growth = 16

interface OpenInput extends DecryptOptions {
  readonly file: EncryptedBytes
}

/** The parameters of every read. */
interface Opened {
  readonly file: EncryptedBytes
  readonly engine: Engine
  readonly key: Uint8Array<ArrayBuffer>
  readonly payloadStart: number
  readonly size: number
}

async function withRange<T>(
  { file, signal }: Pick<OpenInput, 'file' | 'signal'>,
  range: ByteRange,
  work: (reader: ByteReader) => Promise<T>,
): Promise<T> {
  const reader = readFrom(await file.read(range, signal), signal)
  try {
    return await work(exactly(reader, range.end - range.start))
  } finally {
    await reader.stop()
  }
}

const isTruncated = (error: unknown) => error instanceof EncryptionError && error.code === 'truncated'

/** The header with the nonce that follows it. Requests grow until they contain both. */
async function readHead(input: OpenInput): Promise<{ header: Uint8Array; nonce: Uint8Array }> {
  for (let guess = firstGuess; ; guess *= growth) {
    const end = Math.min(guess, input.file.size)
    try {
      return await withRange(input, { start: 0, end }, async (reader) => ({
        header: await readHeader(reader),
        nonce: await readExactly(reader, payloadNonceBytes),
      }))
    } catch (error) {
      if (!isTruncated(error) || end === input.file.size) throw error
    }
  }
}

/** The content of consecutive chunks. */
async function* readChunks(
  { file, engine, key, payloadStart }: Opened,
  chunks: ByteRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const start = payloadStart + chunks.start * encryptedChunkBytes
  const fullEnd = payloadStart + chunks.end * encryptedChunkBytes
  const end = Math.min(fullEnd, file.size)
  const reader = readFrom(await file.read({ start, end }, signal), signal)
  try {
    const batches = readBatches(exactly(reader, end - start), 'encrypted', engine.memory)
    const shift = shifted(batches, chunks.start, end === file.size)
    yield* runInOrder(shift, engine.concurrency, (batch) => decryptBatchSafely(engine, key, batch))
  } finally {
    await reader.stop()
  }
}

async function* readRange(
  opened: Opened,
  { start, end }: ByteRange,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  requireRange({ start, end }, opened.size)
  if (start === end) return
  const chunks = { start: Math.floor(start / chunkBytes), end: Math.ceil(end / chunkBytes) }
  let at = chunks.start * chunkBytes
  for await (const bytes of readChunks(opened, chunks, signal)) {
    signal?.throwIfAborted()
    const wanted = bytes.subarray(Math.max(0, start - at), Math.max(0, end - at))
    at += bytes.length
    if (wanted.length > 0) yield wanted
  }
}

/** Opens the last chunk, which proves that the file is complete. */
async function verifyEnd(opened: Opened, signal: AbortSignal | undefined): Promise<void> {
  const last = Math.max(0, Math.ceil(opened.size / chunkBytes) - 1)
  const chunk = readChunks(opened, { start: last, end: last + 1 }, signal)
  while ((await chunk.next()).done !== true) signal?.throwIfAborted()
}

/**
 * Opens a file for random access. Reads its header and its last chunk.
 * @throws EncryptionError as `decryptStream` does; also `truncated`, when the file is shorter than its sender made it
 */
export async function openEncrypted(
  file: EncryptedBytes,
  { keys, engine, signal }: DecryptOptions,
): Promise<OpenedFile> {
  const { header, nonce } = await readHead({ file, keys, engine, signal })
  const fileKey = await openHeader(header, keys, engine)
  const opened: Opened = {
    file,
    engine,
    key: payloadKey(fileKey, nonce),
    payloadStart: header.length + payloadNonceBytes,
    size: plainSize(file.size, header.length),
  }
  await verifyEnd(opened, signal)
  return { size: opened.size, read: (range, signal) => readRange(opened, range, signal) }
}
