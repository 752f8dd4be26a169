import type { FileContent } from './reading/content.ts'
import type { Fields } from '../export/record-lines.ts'
import type { FindingKind } from './findings.ts'
import type { SourceContent } from './transfer.ts'

/** Why an upload has nothing to import. */
export type EndReason = 'removed' | 'expired' | 'used up' | 'stream'

/** A user of another service. */
export interface SourceUser {
  /** The user's id there, for reports. */
  readonly sourceId: string
  /** The record, or the reason why this service cannot have the user. */
  readonly user: Fields<'user'> | string
}

/** What an upload needs of the service that receives it. */
export interface UploadContext {
  /** Hashes a secret with the algorithm of this service. */
  readonly hashPassword: (secret: string) => Promise<string>
  readonly randomSecret: () => string
  /** Called with what could not be taken over, as a sentence. */
  readonly onChange: (detail: string) => void
}

/** A file of another service. */
export interface SourceFile {
  /** Its id in this service. Always the same for the same file, so that a second run finds what the first one has stored. */
  readonly id: string
  /** Its id there, for reports. */
  readonly sourceId: string
  readonly name: string
  /** Why it is left out, or null. */
  readonly leftOut: { readonly kind: FindingKind; readonly detail: string } | null
  /** Null for a file without bytes. */
  readonly content: SourceContent | null
  /** @param content null for a file without bytes */
  readonly fields: (stored: {
    readonly position: number
    /** A name that this service accepts. */
    readonly fileName: string
    readonly content: FileContent | null
    /** The media type that this service detects; empty without bytes. */
    readonly type: string
  }) => Fields<'file'>
}

/** An upload of another service. */
export interface SourceUpload {
  /** Its id in this service. Always the same for the same upload. */
  readonly id: string
  /** Its id there, for reports. */
  readonly sourceId: string
  /** Why it has nothing to import; null if it has. */
  readonly end: EndReason | null
  /** Why this service cannot have it; null if it can. */
  readonly refusal: string | null
  /** In their order. */
  readonly files: readonly SourceFile[]
  /** `fileCount` is counted later. */
  readonly fields: (context: UploadContext) => Promise<Fields<'upload'>>
  /** Old paths and the paths that replace them. */
  readonly redirects: readonly Redirect[]
}

export interface Redirect {
  readonly from: string
  readonly to: string
}
