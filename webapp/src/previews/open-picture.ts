import { limits, type File, type Upload } from '@svc/contract'
import type { Access, LinkedUpload } from '@svc/sdk'
import { bytesApi } from '../api/bytes-api.ts'
import { downloadAccess } from '../api/download-access.ts'

/** A file with a picture, and the access to its upload. */
export interface PicturedFile {
  readonly upload: LinkedUpload & Pick<Upload, 'e2ee'>
  readonly file: File
  readonly access: Access
  /** Of an encrypted upload: a passphrase or an identity. */
  readonly key: string | undefined
}

/**
 * Loads the picture of a file: its preview, which it decrypts in an encrypted upload, or else the file itself.
 * @throws ApiError, EncryptionError; RangeError when it is larger than a preview can be
 */
export async function openPicture(
  { upload, file, access, key = '' }: PicturedFile,
  signal: AbortSignal,
): Promise<Blob> {
  const options = { ...downloadAccess(upload, access), signal }
  if (file.preview !== true) return (await bytesApi.download(upload, file, options)).blob()
  const stored = await (await bytesApi.preview(upload, file, options)).blob()
  if (stored.size > limits.previewBytes) throw new RangeError('the preview is too large')
  return upload.e2ee === ''
    ? stored
    : (await import('./decrypt-preview.ts')).decryptPreview(stored, key, signal)
}
