import type { DecryptedFile } from '../../encryption/open-decrypted.ts'
import type { EncryptedFile } from '../../encryption/encrypted-file.ts'
import { isWrongKey } from '../../encryption/wrong-key.ts'
import type { UploadKey } from './use-upload-key.ts'

/**
 * Opens a file of an encrypted upload with the upload's key, and asks for a missing or wrong key.
 * @returns the content and the correct key; undefined when the user cancels
 * @throws ApiError, EncryptionError
 */
export async function openWithKey(
  encrypted: EncryptedFile,
  uploadKey: UploadKey,
  signal?: AbortSignal,
): Promise<{ readonly file: DecryptedFile; readonly key: string } | undefined> {
  const { openDecrypted } = await import('../../encryption/open-decrypted.ts')
  let key = uploadKey.key.value ?? (await uploadKey.ask('missing'))
  while (key !== undefined) {
    try {
      return { file: await openDecrypted(encrypted, key, signal), key }
    } catch (error) {
      if (!isWrongKey(error)) throw error
      key = await uploadKey.ask('refused')
    }
  }
  return undefined
}
