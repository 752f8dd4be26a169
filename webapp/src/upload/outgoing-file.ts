import type { Source } from '@svc/sdk'
import type { Sealer } from '../encryption/sealer.ts'
import type { ChosenFile } from './chosen-files.ts'

/** A file as it is sent: as it is, or encrypted. */
export interface OutgoingFile {
  /** Unlike every other of this page; goes to the server as the file's reference. */
  readonly key: string
  readonly name: string
  /** Bytes that are sent. */
  readonly size: number
  readonly type: string
  /** The same bytes each time. Encryption may take a moment to begin. */
  readonly open: () => Promise<Source>
}

export const plainFile = ({ key, name, blob }: ChosenFile): OutgoingFile => ({
  key,
  name,
  size: blob.size,
  type: blob.type,
  open: () => Promise.resolve(blob),
})

/** @param sealedSize bytes of a file once it is encrypted */
export const encryptedFile = (
  { key, name, blob }: ChosenFile,
  { seal }: Sealer,
  sealedSize: (plainBytes: number) => number,
): OutgoingFile => ({
  key,
  name,
  size: sealedSize(blob.size),
  type: blob.type,
  open: () => seal(blob),
})
