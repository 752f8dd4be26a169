import { EncryptionError } from './error.ts'
import { chunkBytes, payloadNonceBytes, encryptedChunkBytes, tagBytes } from './format.ts'

/** Number of chunks of a content; an empty content has one chunk. */
const chunksOf = (plainBytes: number) => Math.max(1, Math.ceil(plainBytes / chunkBytes))

/**
 * Bytes of an encrypted file.
 * @param plainBytes bytes of the content
 * @param headerBytes bytes of the header, to the end of its last line
 */
export const encryptedSize = (plainBytes: number, headerBytes: number): number =>
  headerBytes + payloadNonceBytes + plainBytes + chunksOf(plainBytes) * tagBytes

/**
 * Bytes of the header of a file that is encrypted with a passphrase, for any work factor of two digits. The size is known
 * before the key is derived, which takes a second. The lines are those of age v1, with 16 bytes of salt, 32 of a wrapped
 * key and 32 of a MAC, in base64.
 */
export const passphraseHeaderBytes =
  'age-encryption.org/v1\n'.length + '-> scrypt  12\n'.length + 22 + 43 + '\n--- \n'.length + 43

/**
 * Bytes of the content of an encrypted file. The number is unverified until the last chunk is opened.
 * @param encryptedBytes bytes of the file, with its header
 * @throws EncryptionError `truncated` for a size that no encrypted file has
 */
export function plainSize(encryptedBytes: number, headerBytes: number): number {
  const payload = encryptedBytes - headerBytes - payloadNonceBytes
  const chunks = Math.max(1, Math.ceil(payload / encryptedChunkBytes))
  const plainBytes = payload - chunks * tagBytes
  if (plainBytes < 0 || chunksOf(plainBytes) !== chunks) {
    throw new EncryptionError('truncated', 'no encrypted file has this size: its end is missing')
  }
  return plainBytes
}
