import type { SharedMemory } from '@svc/assembler'

/** The hashes of a body. */
export interface Hashes {
  /** Lower-case hexadecimal. */
  readonly md5: string
  /** CRC-32 as in zip (IEEE 802.3), unsigned. */
  readonly crc32: number
}

/** The data with which a hash worker starts. */
export interface HashWorkerData {
  /** The memory of all hash workers. */
  readonly memory: SharedMemory
  /** The address of the memory that this worker alone uses. */
  readonly contextAddress: number
}

/**
 * A message to a hash worker: more bytes of a body, or its end. Bytes are read in place and may be changed after the
 * response.
 */
export interface HashRequest {
  readonly body: number
  /** Bytes in the memory of all hash workers. */
  readonly block?: { readonly address: number; readonly length: number }
  /** Bytes elsewhere in shared memory. */
  readonly bytes?: Uint8Array
  readonly end?: 'digest' | 'drop'
}

/**
 * A message from a hash worker: bytes were read, or the hashes of the whole body. The messages for a body are in the order
 * of its requests.
 */
export interface HashResponse {
  readonly body: number
  readonly hashes?: Hashes
}

/** The work of a hash worker. */
export interface HashWork {
  readonly accept: (request: HashRequest) => void
  /** Whether requests are waiting. */
  readonly isBusy: () => boolean
  /**
   * Processes some of the waiting requests.
   * @returns the responses to completed requests
   */
  readonly step: () => HashResponse[]
}
