import type { QueuedFile } from '@svc/sdk'
import type { Encryptor } from '../../encryption/encryptor.ts'
import type { SelectedFile } from '../draft/selected-files.ts'

export const queuedFile = ({ key, name, blob }: SelectedFile): QueuedFile => ({
  key,
  name,
  size: blob.size,
  type: blob.type,
  open: () => blob,
})

/** @param sealedSize bytes of a file once it is encrypted */
export const queuedEncryptedFile = (
  { key, name, blob }: SelectedFile,
  { seal }: Encryptor,
  sealedSize: (plainBytes: number) => number,
): QueuedFile => ({
  key,
  name,
  size: sealedSize(blob.size),
  type: blob.type,
  open: () => seal(blob),
})
