import type { FileDeclaration, Upload, UploadOptions } from '@svc/contract'
import type { QueuedFile } from '@svc/sdk'
import type { SelectedFile } from '../draft/selected-files.ts'
import type { ManifestTransfer } from '../manifest/manifest-transfer.ts'

/** A chosen file that cannot be sent. */
export interface RefusedFile extends SelectedFile {
  /** The sentence that says why. */
  readonly reason: string
}

/** What a visitor sends. */
export interface Sendable {
  readonly files: readonly SelectedFile[]
  readonly refused: readonly RefusedFile[]
  readonly options: UploadOptions
  /** Encrypts the files. */
  readonly passphrase: string | undefined
}

/** Files as they are sent, and the request that creates their upload. */
export interface PreparedUpload {
  readonly files: readonly QueuedFile[]
  readonly create: (declared: FileDeclaration[]) => Promise<Upload>
  /** The manifest of the created upload; undefined for an upload without one. */
  readonly manifest?: () => ManifestTransfer | undefined
}
