import { limits } from '@svc/contract'
import { createFileHeader, encryptStream, looksGenerated, passphraseKey } from '@svc/encryption'
import { blobOf } from '../encryption/blob-of.ts'
import { sharedEngine } from '../encryption/shared-engine.ts'
import type { PreviewKey } from './preview-options.ts'

/** Encrypts the preview of one file. */
export interface PreviewEncoding {
  /** Maximum bytes of the picture. */
  readonly maxBytes: number
  readonly encode: (preview: Blob) => Promise<Blob>
}

/**
 * Prepares the encryption of a preview for those who can open its file.
 * @returns undefined for a typed passphrase, which takes a second and 256 MB for each file, also at the recipient
 */
export async function prepareEncryptedPreview(key: PreviewKey): Promise<PreviewEncoding | undefined> {
  if ('passphrase' in key && !looksGenerated(key.passphrase)) return undefined
  const engine = sharedEngine()
  const encryptionKey = 'passphrase' in key ? passphraseKey(key.passphrase) : { recipients: [key.recipient] }
  const header = await createFileHeader(encryptionKey, engine)
  return {
    maxBytes: limits.previewBytes - header.encryptedSize(0),
    encode: (preview) => blobOf(encryptStream(preview.stream(), { header, engine })),
  }
}
