import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { ManifestFile } from './manifest-text.ts'

/** What the manifest says about a content. */
export type ContentDigest = Pick<ManifestFile, 'size' | 'sha256'>

/** Hashes a content while it is read. Web Crypto hashes only what is whole in memory. */
export function createContentDigest() {
  const hash = sha256.create()
  let size = 0
  return {
    /** Adds the next bytes. */
    update: (bytes: Uint8Array): void => {
      hash.update(bytes)
      size += bytes.length
    },
    /** Ends it: the digest of all bytes. */
    end: (): ContentDigest => ({ size, sha256: bytesToHex(hash.digest()) }),
  }
}
