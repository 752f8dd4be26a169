import type { BatchDigest } from './batch-digest.ts'
import { readBatches } from './read-batches.ts'
import { readFrom, type ByteSource } from '../base/byte-source.ts'
import { concat } from '../base/bytes.ts'
import { exactly, requireRange, shifted, type ByteRange } from './chunk-ranges.ts'
import type { EncryptOptions } from './encrypt-stream.ts'
import { encryptBatchWith } from './encrypt-stream.ts'
import { EncryptionError } from '../base/error.ts'
import { chunkBytes, payloadNonceBytes, encryptedChunkBytes, tagBytes } from '../base/format.ts'
import { runInOrder } from './run-in-order.ts'
import { payloadKey } from '../header/payload-key.ts'
import { systemRandom } from '../base/random-source.ts'

export interface EncryptFileOptions extends Omit<EncryptOptions, 'signal'> {
  /** Bytes of the content. */
  readonly size: number
  /** Hashes the content while it is encrypted. */
  readonly digest?: BatchDigest | undefined
}

/** An encrypted file with random access to reproducible bytes, so that an interrupted upload can resume. */
export interface ReproducibleFile {
  /** Bytes of the encrypted file. */
  readonly size: number
  /**
   * A range of the encrypted file: always the same bytes.
   * @param plain returns a range of the content, of whole chunks
   * @throws EncryptionError `size_mismatch` when the content is not the one it was before, or of another size; the
   * signal's reason; the errors of the source
   */
  readonly read: (
    range: ByteRange,
    plain: (range: ByteRange) => ByteSource,
    signal?: AbortSignal,
  ) => AsyncGenerator<Uint8Array<ArrayBuffer>, void>
}

/** Keeps the tag of every returned chunk, 16 bytes for each 64 KiB. */
function createTagMemory(chunks: number) {
  // The system allocates memory only for written pages.
  const tags = new Uint8Array(chunks * tagBytes)
  const isKnown = new Uint8Array(chunks)
  return (first: number, encrypted: Uint8Array): void => {
    for (let end = 0, chunk = first; end < encrypted.length; chunk += 1) {
      end = Math.min(encrypted.length, end + encryptedChunkBytes)
      const tag = encrypted.subarray(end - tagBytes, end)
      const place = tags.subarray(chunk * tagBytes, (chunk + 1) * tagBytes)
      if (isKnown[chunk] === 1 && tag.some((byte, index) => byte !== place[index]))
        throw new EncryptionError('size_mismatch', 'the content is not the one that it was before')
      isKnown[chunk] = 1
      place.set(tag)
    }
  }
}

/**
 * An encrypted file whose parts can be read in any order and several times. One key and one nonce must encrypt only one
 * content, because two of them would reveal each other. So a chunk that is encrypted again is compared with the tag of the
 * first time before it is returned.
 */
export function encryptFile({
  size,
  header,
  engine,
  digest,
  random = systemRandom,
}: EncryptFileOptions): ReproducibleFile {
  const nonce = new Uint8Array(payloadNonceBytes)
  random(nonce)
  const key = payloadKey(header.fileKey, nonce)
  const head = concat([header.bytes, nonce])
  const chunks = Math.max(1, Math.ceil(size / chunkBytes))
  const total = header.encryptedSize(size)
  const remember = createTagMemory(chunks)

  async function* readChunks(
    { start, end }: ByteRange,
    plain: (range: ByteRange) => ByteSource,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const content = { start: start * chunkBytes, end: Math.min(size, end * chunkBytes) }
    const reader = readFrom(plain(content), signal)
    try {
      const batches = readBatches(exactly(reader, content.end - content.start), 'plain', engine.memory)
      let chunk = start
      for await (const encrypted of runInOrder(
        shifted(batches, start, end === chunks),
        engine.concurrency,
        async (batch) =>
          encryptBatchWith(engine, key, digest === undefined ? batch : await digest.add(batch)),
      )) {
        signal?.throwIfAborted()
        remember(chunk, encrypted)
        chunk += Math.ceil(encrypted.length / encryptedChunkBytes)
        yield encrypted
      }
    } finally {
      await reader.stop()
    }
  }

  return {
    size: total,
    async *read({ start, end }, plain, signal) {
      requireRange({ start, end }, total)
      if (start < Math.min(end, head.length)) yield head.slice(start, Math.min(end, head.length))
      if (end <= head.length || start === end) return
      const from = Math.floor(Math.max(0, start - head.length) / encryptedChunkBytes)
      const wanted = { start: from, end: Math.ceil((end - head.length) / encryptedChunkBytes) }
      let at = head.length + from * encryptedChunkBytes
      for await (const bytes of readChunks(wanted, plain, signal)) {
        const part = bytes.subarray(Math.max(0, start - at), Math.max(0, end - at))
        at += bytes.length
        if (part.length > 0) yield part
      }
    },
  }
}
