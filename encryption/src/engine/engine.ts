import type { Batch, DecryptedBatch } from './batch.ts'
import type { Sha256State } from './sha256.ts'

/** The input of scrypt (RFC 7914), with r = 8 and p = 1 as in age. */
export interface ScryptWork {
  readonly passphrase: string
  readonly salt: Uint8Array<ArrayBuffer>
  /** Base-2 logarithm of the cost: each step doubles time and memory (128 bytes · 8 · 2^logN). */
  readonly logN: number
}

/** Reuses the memory of batches, because allocating it takes a tenth of the time of encryption. */
export interface MemoryPool {
  /** A buffer of this size with undefined content. */
  readonly take: (bytes: number) => ArrayBuffer
  /** The caller must not use the buffer afterwards. */
  readonly release: (buffer: ArrayBuffer) => void
}

/** Bytes of a content in a buffer that the caller gives up. */
export interface HashedBytes {
  readonly buffer: ArrayBuffer
  /** Offset of the bytes in the buffer. */
  readonly start: number
  /** A multiple of 64, except at the end of the content. */
  readonly bytes: number
  /** Bytes of the whole content, at its end; undefined before. */
  readonly total: number | undefined
}

/**
 * Encrypts and decrypts batches, on threads where the environment has them. One engine serves any number of files, also at
 * the same time. A caller that passes a batch gives up its buffer; the returned buffer may be another one.
 */
export interface Engine {
  /** Memory for batches. */
  readonly memory: MemoryPool
  /** Number of concurrent batches that use the engine fully. */
  readonly concurrency: number
  readonly encrypt: (key: Uint8Array<ArrayBuffer>, batch: Batch) => Promise<ArrayBuffer>
  readonly decrypt: (key: Uint8Array<ArrayBuffer>, batch: Batch) => Promise<DecryptedBatch>
  /** 32 bytes. */
  readonly scrypt: (work: ScryptWork) => Promise<Uint8Array<ArrayBuffer>>
  /** Ends the threads. Running tasks fail. */
  readonly close: () => Promise<void>
}

/** An engine that also hashes contents. */
export interface HashingEngine extends Engine {
  /** SHA-256 of the next bytes of a content. The returned buffer has the same bytes; it may be another one. */
  readonly hash: (
    state: Sha256State,
    bytes: HashedBytes,
  ) => Promise<{ readonly buffer: ArrayBuffer; readonly state: Sha256State }>
}
