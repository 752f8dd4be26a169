import type { File, Upload } from '@svc/contract'
import type { Access } from '@svc/sdk'
import type { UploadKey } from '../key/use-upload-key.ts'

/** What the comparison of an upload with its manifest needs. */
export interface ManifestContext {
  readonly upload: () => Upload
  readonly source: {
    /** The manifest, as the server lists it. */
    readonly manifest: () => File | undefined
    readonly access: () => Access
  }
  readonly key: UploadKey
}
