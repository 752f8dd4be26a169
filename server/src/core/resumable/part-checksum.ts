import { createHash } from 'node:crypto'
import { checksumMismatch } from '../../domain/errors.ts'

/** The hash that a part must have. */
export interface Checksum {
  /** The name that `node:crypto` uses. */
  readonly algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512'
  readonly digest: Buffer
}

/** A checksum that follows the bytes of the part, with its algorithm: all of these are computed. */
export interface TrailingChecksum {
  readonly algorithms: readonly Checksum['algorithm'][]
  /**
   * Called after the last byte.
   * @throws ServiceError `invalid_request`
   */
  readonly read: () => Checksum
}

/** Computes the hash of a part while its bytes pass. */
export interface PartVerifier {
  readonly pass: (blocks: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>
  /**
   * Called after the last byte.
   * @throws ServiceError `checksum_mismatch`, `invalid_request`
   */
  readonly verify: () => void
}

export function createVerifier(checksum: Checksum | TrailingChecksum): PartVerifier {
  const algorithms = 'read' in checksum ? checksum.algorithms : [checksum.algorithm]
  const hashes = new Map(algorithms.map((algorithm) => [algorithm, createHash(algorithm)]))
  return {
    async *pass(blocks) {
      for await (const block of blocks) {
        for (const hash of hashes.values()) hash.update(block)
        yield block
      }
    },
    verify() {
      const { algorithm, digest } = 'read' in checksum ? checksum.read() : checksum
      if (hashes.get(algorithm)?.digest().equals(digest) !== true) throw checksumMismatch()
    },
  }
}
