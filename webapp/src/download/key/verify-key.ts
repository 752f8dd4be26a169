import type { File, Upload } from '@svc/contract'
import type { LinkedUpload } from '@svc/sdk'
import type { EncryptedFile } from '../../encryption/encrypted-file.ts'
import { openWithKey } from './open-with-key.ts'
import type { UploadKey } from './use-upload-key.ts'

interface Proof {
  /** `maxDownloads`: reading a file uses a download. */
  readonly upload: LinkedUpload & Pick<Upload, 'maxDownloads'>
  readonly ready: readonly File[]
  readonly access: EncryptedFile['access']
  readonly key: UploadKey
}

/**
 * The key of an upload, verified with one of its files where reading does not consume it, so that added files have the same
 * key. Asks for a missing or wrong key.
 * @returns undefined when the user cancels
 * @throws ApiError, EncryptionError
 */
export async function verifyKey({ upload, ready, access, key }: Proof): Promise<string | undefined> {
  const [file] = ready.toSorted((a, b) => a.fileSize - b.fileSize)
  if (file === undefined || upload.maxDownloads !== undefined || upload.stream)
    return key.key.value ?? key.ask('missing')
  return (await openWithKey({ upload, file, access }, key))?.key
}
