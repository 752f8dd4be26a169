/**
 * - `manifest_withheld`: the link says that there is a manifest, and the server does not have it
 * - `manifest_unsent`: it has not arrived at the server yet
 * - `manifest_invalid`: the sender of the link did not write it, or not for this upload
 * - `file_added`: a file that is not in the manifest
 * - `file_renamed`: a file that was sent with another name
 * - `file_changed`: a content that is not the one that was sent
 * - `file_changed_once`: the same, where its download counts
 */
export type ManifestErrorCode =
  | 'manifest_withheld'
  | 'manifest_unsent'
  | 'manifest_invalid'
  | 'file_added'
  | 'file_renamed'
  | 'file_changed'
  | 'file_changed_once'

/** Why files of an encrypted upload are refused (docs/design/manifest.md). */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
  readonly code: ManifestErrorCode
  /** What its text contains: the name with which the file was sent. */
  readonly values: Readonly<Record<string, string>>

  constructor(code: ManifestErrorCode, options: { readonly sentAs?: string; readonly cause?: unknown } = {}) {
    const { sentAs, cause } = options
    super(code, cause === undefined ? undefined : { cause })
    this.code = code
    this.values = sentAs === undefined ? {} : { name: sentAs }
  }
}
