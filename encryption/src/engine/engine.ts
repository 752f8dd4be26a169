import type { Batch, OpenedBatch } from './batch.ts'

/** What makes a key of a passphrase (RFC 7914), with r = 8 and p = 1 as age has them. */
export interface ScryptWork {
  readonly passphrase: string
  readonly salt: Uint8Array<ArrayBuffer>
  /** The logarithm of the cost: each step doubles time and memory (128 bytes · 8 · 2^logN). */
  readonly logN: number
}

/** Memory of batches that is used again: to make it anew takes a tenth of the time that encrypting does. */
export interface MemoryPool {
  /** A buffer of this size with undefined content. */
  readonly take: (bytes: number) => ArrayBuffer
  /** The caller must not use it afterwards. A buffer of no use is left to the garbage collector. */
  readonly release: (buffer: ArrayBuffer) => void
}

/**
 * Where the arithmetic happens. One serves any number of files, one after the other or at once. The buffer of a batch is
 * the engine's from the moment it is handed over; the one that comes back may be another.
 */
export interface Engine {
  /** Where batches are made. */
  readonly memory: MemoryPool
  /** How many batches at a time keep it busy. */
  readonly lanes: number
  readonly seal: (key: Uint8Array<ArrayBuffer>, batch: Batch) => Promise<ArrayBuffer>
  readonly open: (key: Uint8Array<ArrayBuffer>, batch: Batch) => Promise<OpenedBatch>
  /** 32 bytes. */
  readonly scrypt: (work: ScryptWork) => Promise<Uint8Array<ArrayBuffer>>
  /** Ends its threads. What is under way fails. */
  readonly close: () => Promise<void>
}
