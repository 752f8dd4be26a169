import { unlink } from 'node:fs/promises'
import type { File } from '@svc/contract'
import { isResumable, type DownloadRules } from '@svc/sdk'
import { ManifestFailure } from '../errors/manifest-failure.ts'
import type { Checksum } from '../files/checksum.ts'
import { hashContent } from '../files/hash-file.ts'
import { sizeOf } from '../files/local-file.ts'
import type { DownloadContext } from './download-context.ts'

/** @param upload the upload of the file; if its downloads are limited, this one counts */
export const changedFailure = ({ oneShot, maxDownloads }: DownloadRules): ManifestFailure =>
  new ManifestFailure(
    'its content is not the one that was sent: someone may have swapped files' +
      (oneShot || maxDownloads !== undefined ? '; this download is used up' : ''),
  )

/** The checksum of the content of a decrypted file; undefined without a manifest. */
export function decryptedChecksum(
  { contentOf }: Pick<DownloadContext, 'contentOf'>,
  file: File,
): Checksum | undefined {
  const content = contentOf?.(file)
  return content && { algorithm: 'sha256', value: content.sha256 }
}

/**
 * Compares decrypted content with the manifest.
 * @param path path of the content, which is removed if it differs
 * @throws ManifestFailure
 */
export async function verifyContent(
  { contentOf, upload, signal }: DownloadContext,
  file: File,
  path: string,
): Promise<void> {
  const expected = contentOf?.(file)
  if (expected === undefined) return
  const { size, sha256 } = expected
  const isAsExpected =
    (await sizeOf(path)) === size &&
    (await hashContent(path, { algorithm: 'sha256', size, signal })) === sha256
  if (isAsExpected) return
  if (isResumable(upload)) await unlink(path).catch(() => undefined)
  throw changedFailure(upload)
}
