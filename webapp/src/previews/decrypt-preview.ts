import { decryptStream } from '@svc/encryption'
import { decryptionKeys } from '../encryption/decryption-keys.ts'
import { sharedEngine } from '../encryption/shared-engine.ts'
import { takesMuchWork } from '../encryption/work-factor.ts'
import { blobOf } from '../encryption/blob-of.ts'

/**
 * Decrypts a preview.
 * @throws EncryptionError; RangeError where it takes too much work
 */
export async function decryptPreview(stored: Blob, key: string, signal: AbortSignal): Promise<Blob> {
  if (await takesMuchWork(stored)) throw new RangeError('the preview takes too much work')
  const content = decryptStream(stored.stream(), {
    keys: decryptionKeys(key),
    engine: sharedEngine(),
    signal,
  })
  return blobOf(content)
}
