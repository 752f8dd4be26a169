import { manifestName } from '@svc/contract'
import type { BatchDigest, ManifestFile } from '@svc/encryption'
import type { QueuedFile } from '@svc/sdk'
import type { Encryptor } from '../../encryption/encryptor.ts'
import { sizeOf } from '../draft/picked-file.ts'
import type { SelectedFile } from '../draft/selected-files.ts'

export const queuedFile = ({ key, name, blob }: SelectedFile): QueuedFile => ({
  key,
  name,
  size: sizeOf(blob),
  type: blob.type,
  open: () => blob,
})

export interface EncryptedQueueOptions {
  readonly encryptor: Encryptor
  /** Bytes of a file once it is encrypted. */
  readonly encryptedSize: (plainBytes: number) => number
  /** Called once a file is stored, with its content, for a manifest. */
  readonly onContent?: ((content: ManifestFile) => void) | undefined
}

export function queuedEncryptedFile(
  { key, name: chosen, blob }: SelectedFile,
  { encryptor, encryptedSize, onContent }: EncryptedQueueOptions,
): QueuedFile {
  // Lists leave out a file with the name of the manifest.
  const name = chosen === manifestName ? chosen.slice(1) : chosen
  let digest: BatchDigest | undefined
  return {
    key,
    name,
    size: encryptedSize(sizeOf(blob)),
    type: blob.type,
    open: () => {
      digest = onContent && encryptor.digestOf(blob)
      return encryptor.encrypt(blob, digest)
    },
    onSent: (id) => {
      const sha256 = digest?.sha256()
      if (sha256 !== undefined) onContent?.({ id, name, size: sizeOf(blob), sha256 })
    },
  }
}
