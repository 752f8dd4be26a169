import type { QueuedFile } from '@svc/sdk'
import type { Sealer } from '../encryption/sealer.ts'
import type { ChosenFile } from './chosen-files.ts'

export const plainFile = ({ key, name, blob }: ChosenFile): QueuedFile => ({
  key,
  name,
  size: blob.size,
  type: blob.type,
  open: () => blob,
})

/** @param sealedSize bytes of a file once it is encrypted */
export const encryptedFile = (
  { key, name, blob }: ChosenFile,
  { seal }: Sealer,
  sealedSize: (plainBytes: number) => number,
): QueuedFile => ({
  key,
  name,
  size: sealedSize(blob.size),
  type: blob.type,
  open: () => seal(blob),
})
