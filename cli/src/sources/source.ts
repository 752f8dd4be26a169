import type { File } from '@svc/contract'
import type { Access, DownloadRules, LinkedUpload } from '@svc/sdk'
import type { Downloader } from '../addresses/open-address.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import type { Checksum } from '../files/checksum.ts'
import type { FileResult } from './result.ts'

/** A file in the names of partial files, and whether another run may continue it. */
export interface FileIdentity {
  readonly id: string
  readonly canContinue: boolean
}

/** The content that a decrypted file must have. */
export interface ExpectedContent {
  /** Bytes. */
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** Where the files of a link come from: an upload, or an address of the web. */
export interface DownloadSource {
  readonly client: Downloader
  /** For large files that can be requested twice. */
  readonly direct: Downloader
  readonly upload: LinkedUpload & DownloadRules
  readonly access: Access
  /** The files that the command line selects. */
  readonly files: readonly File[]
  /** The path of each of them below the target folder, safe and distinct. Without it, their names decide. */
  readonly paths?: readonly string[]
  /** Whether a file can be requested again after its last byte. */
  readonly isRepeatable: boolean
  /** Results of selected files that do not exist. */
  readonly failed: readonly FileResult[]
  /** The keys of the files; undefined when they stay as they are. */
  readonly keys: KeyRing | undefined
  readonly identify: (file: File) => FileIdentity
  /** What the bytes of a file are verified with. */
  readonly checksumOf: (file: File) => Checksum | undefined
  /** What the manifest says of the content of a decrypted file; undefined without a manifest. */
  readonly contentOf?: ((file: File) => ExpectedContent | undefined) | undefined
  /** Closes what was opened and is not read. */
  readonly close: () => void
}
