import { createFileHeader, encryptStream, looksGenerated, passphraseLock } from '@svc/encryption'
import { sharedEngine } from '../encryption/shared-engine.ts'
import { blobOf } from '../encryption/blob-of.ts'

/**
 * Encrypts a preview with the passphrase of its upload.
 * @returns undefined for a typed passphrase, which takes a second and 256 MB for each file, also at the recipient
 */
export async function sealPreview(preview: Blob, passphrase: string): Promise<Blob | undefined> {
  if (!looksGenerated(passphrase)) return undefined
  const engine = sharedEngine()
  const header = await createFileHeader(passphraseLock(passphrase), engine)
  return blobOf(encryptStream(preview.stream(), { header, engine }))
}
