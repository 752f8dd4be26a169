import type { SharedMemory } from '@svc/assembler'

/** What is kept of a body's bytes. */
export interface Hashes {
  /** Lower-case hexadecimal. */
  readonly md5: string
  /** CRC-32 as in zip (IEEE 802.3), unsigned. */
  readonly crc32: number
}

/** What a hash worker is started with. */
export interface HashWorkerData {
  /** That of all hash workers. */
  readonly memory: SharedMemory
  /** Where in it the worker's own begins. */
  readonly own: number
}

/** To a hash worker: more bytes of a body, or its end. Bytes are read in place, and may be changed once they are answered. */
export interface HashRequest {
  readonly body: number
  /** Bytes in the memory of all hash workers. */
  readonly block?: { readonly address: number; readonly length: number }
  /** Bytes elsewhere in shared memory. */
  readonly bytes?: Uint8Array
  readonly end?: 'digest' | 'drop'
}

/** From a hash worker, for each body in the order of its requests: bytes were read, or the hashes of the whole body. */
export interface HashAnswer {
  readonly body: number
  readonly hashes?: Hashes
}

/** What a hash worker does with its requests. */
export interface HashWork {
  readonly accept: (request: HashRequest) => void
  /** Whether anything waits. */
  readonly isBusy: () => boolean
  /** Does a part of what waits. @returns what is done with */
  readonly step: () => HashAnswer[]
}
