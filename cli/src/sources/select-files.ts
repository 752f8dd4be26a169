import { isGoneFile, isIncompleteFile, isManifest, type File, type Upload } from '@svc/contract'
import type { UploadLink } from '../links/parse-link.ts'
import { matchesGlob } from './glob.ts'

export interface SelectedFiles {
  readonly files: readonly File[]
  /** Requested files that are not available. */
  readonly unavailable: readonly File[]
  /** Patterns and ids without a file. */
  readonly unmatched: readonly string[]
}

const isDownloadable = (upload: Upload, file: File): boolean =>
  file.status === 'uploaded' || (upload.stream && isIncompleteFile(file))

/** The ids of the files whose downloads are used up, as far as the server says so; none without a download limit. */
export const usedUpIn = (upload: Upload): ReadonlySet<string> =>
  new Set(
    upload.oneShot || upload.maxDownloads !== undefined
      ? upload.files.filter((file) => isGoneFile(file) && !isManifest(upload, file)).map(({ id }) => id)
      : [],
  )

/** Whether nothing is left of an upload with a download limit: its manifest is removed with the last file. */
export function isUsedUp(upload: Upload): boolean {
  const { size } = usedUpIn(upload)
  return size > 0 && size === upload.files.filter((file) => !isManifest(upload, file)).length
}

/** Whether a link and patterns select a file. */
export const selectedBy =
  ({ fileID }: UploadLink, patterns: readonly string[]) =>
  ({ id, name }: { readonly id: string; readonly name: string }): boolean =>
    (fileID === undefined || id === fileID) &&
    (patterns.length === 0 || patterns.some((pattern) => matchesGlob(pattern, name)))

/** The files of an upload that a link and patterns select. */
export function selectFiles(upload: Upload, link: UploadLink, patterns: readonly string[]): SelectedFiles {
  const { fileID } = link
  const matches = selectedBy(link, patterns)
  // Without a pattern, removed files and the manifest are skipped.
  const narrowed = fileID !== undefined || patterns.length > 0
  const selected = upload.files.filter(
    (file) =>
      matches({ id: file.id, name: file.fileName }) && (fileID !== undefined || !isManifest(upload, file)),
  )
  const unmatched = patterns.filter(
    (pattern) => !selected.some(({ fileName }) => matchesGlob(pattern, fileName)),
  )
  return {
    files: selected.filter((file) => isDownloadable(upload, file)),
    unavailable: selected.filter((file) => !isDownloadable(upload, file) && (narrowed || !isGoneFile(file))),
    unmatched: fileID !== undefined && selected.length === 0 ? [fileID] : unmatched,
  }
}
