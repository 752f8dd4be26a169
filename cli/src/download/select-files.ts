import type { File, Upload } from '@svc/contract'
import type { UploadLink } from '../links/parse-link.ts'
import { matchesGlob } from './glob.ts'

export interface SelectedFiles {
  readonly files: readonly File[]
  /** Requested files that are not available. */
  readonly gone: readonly File[]
  /** Patterns and ids without a file. */
  readonly unknown: readonly string[]
}

const isDownloadable = (upload: Upload, { status }: File): boolean =>
  status === 'uploaded' || (upload.stream && (status === 'missing' || status === 'uploading'))

/** The files of an upload that a link and patterns select. */
export function selectFiles(upload: Upload, link: UploadLink, patterns: readonly string[]): SelectedFiles {
  const { fileID } = link
  const asked = upload.files.filter(
    (file) =>
      (fileID === undefined || file.id === fileID) &&
      (patterns.length === 0 || patterns.some((pattern) => matchesGlob(pattern, file.fileName))),
  )
  // Without a pattern, removed files are skipped.
  const narrowed = fileID !== undefined || patterns.length > 0
  const missed = patterns.filter((pattern) => !asked.some(({ fileName }) => matchesGlob(pattern, fileName)))
  return {
    files: asked.filter((file) => isDownloadable(upload, file)),
    gone: asked.filter(
      (file) => !isDownloadable(upload, file) && (narrowed || !['removed', 'deleted'].includes(file.status)),
    ),
    unknown: fileID !== undefined && asked.length === 0 ? [fileID] : missed,
  }
}
