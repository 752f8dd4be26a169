import { ageScheme, type File, type Upload } from '@svc/contract'
import { inFolderOrder } from '../../ui/file/use-folder-rows.ts'
import { isLimited } from '../files/download-limit.ts'
import { viewerKind } from '../../viewers/viewer-kind.ts'

/**
 * Whether the files of an upload have viewers. Not those of streams, with a number of downloads, and encrypted one-shot ones,
 * because a viewer would use a download, of encrypted files even before the key is verified.
 */
export function hasViewers(upload: Upload): boolean {
  if (upload.stream) return false
  if (isLimited(upload)) return upload.oneShot && upload.e2ee === ''
  return upload.e2ee === '' || upload.e2ee === ageScheme
}

export const isViewable = (upload: Upload, file: File): boolean =>
  hasViewers(upload) && viewerKind(file, upload) !== undefined

/** Files in the order of their list. */
export const inViewingOrder = (files: readonly File[]): readonly File[] =>
  inFolderOrder(
    files.map((file) => ({ key: file.id, file })),
    ({ file }) => file.fileName,
  ).map(({ file }) => file)
