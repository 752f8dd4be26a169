import { limits, type File } from '@svc/contract'
import type { Access, LinkedUpload } from '@svc/sdk'
import { bytesApi } from '../api/bytes-api.ts'
import { downloadAccess } from '../api/download-access.ts'

/** A stored preview, and the access to its upload. */
export interface StoredPreview {
  readonly upload: LinkedUpload
  readonly file: Pick<File, 'id' | 'fileName'>
  readonly access: Access
  /** Of an encrypted upload. */
  readonly key: string | undefined
}

/**
 * Loads a preview, and decrypts that of an encrypted upload.
 * @throws ApiError, EncryptionError; RangeError when it is larger than a preview can be
 */
export async function openPreview(
  { upload, file, access, key }: StoredPreview,
  signal: AbortSignal,
): Promise<Blob> {
  const response = await bytesApi.preview(upload, file, { ...downloadAccess(upload, access), signal })
  const stored = await response.blob()
  if (stored.size > limits.previewBytes) throw new RangeError('the preview is too large')
  return key === undefined ? stored : (await import('./unseal-preview.ts')).unsealPreview(stored, key, signal)
}
