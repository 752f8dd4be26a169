import { EncryptionError, openEncrypted, type ByteRange } from '@svc/encryption'
import { bodyOf, fetchEncrypted, type EncryptedFile } from './encrypted-file.ts'
import { sharedEngine } from './shared-engine.ts'
import { decryptionKeys } from './decryption-keys.ts'

/** The content of an encrypted file, with random access. */
export interface DecryptedFile {
  /** Bytes of the content. */
  readonly size: number
  /**
   * A range of the content, without the byte at `end`. Requests only the chunks around it.
   * @throws EncryptionError `damaged_chunk`, `size_mismatch`; ApiError; RangeError
   */
  readonly read: (range: ByteRange, signal?: AbortSignal) => AsyncGenerator<Uint8Array<ArrayBuffer>, void>
}

/**
 * Opens a stored file of an encrypted upload for random access. Fetches its header and its last chunk, which prove the key and
 * the size. Not for one-shot and stream uploads, whose files can only be downloaded whole.
 * @param key passphrase or identity
 * @throws EncryptionError `wrong_passphrase`, `truncated`, `damaged_chunk`, …; ApiError
 */
export async function openDecrypted(
  encrypted: EncryptedFile,
  key: string,
  signal?: AbortSignal,
): Promise<DecryptedFile> {
  const readEncrypted = async (range: ByteRange, signal?: AbortSignal) => {
    const response = await fetchEncrypted(encrypted, { range, signal })
    const body = bodyOf(response)
    if (response.status === 206 || (range.start === 0 && range.end === encrypted.file.fileSize)) return body
    await body.cancel()
    throw new EncryptionError('size_mismatch', 'the server does not give ranges of this file')
  }
  const { size, read } = await openEncrypted(
    { size: encrypted.file.fileSize, read: readEncrypted },
    { keys: decryptionKeys(key), engine: sharedEngine(), signal },
  )
  return { size, read }
}
