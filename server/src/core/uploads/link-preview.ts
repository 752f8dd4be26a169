import { roughSize } from '@svc/terminal'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'

/** What the preview of a link says, in chats and social networks. */
export interface LinkPreview {
  readonly title: string
  readonly description: string
}

/** For links to nothing, or to an upload that has ended. */
export const noPreview: LinkPreview = {
  title: 'Shared files',
  description: 'This upload does not exist or has expired.',
}

/**
 * The preview of a link to an upload. It says only what everyone with the link may know: not even the number of files of an
 * upload with a password, and no names of encrypted ones.
 * @param files the first files of the upload
 * @param hasMore whether it has further files
 */
export function linkPreviewOf(
  upload: Pick<UploadRecord, 'e2ee' | 'fileCount' | 'passwordHash' | 'size' | 'stream'>,
  files: readonly Pick<FileRecord, 'fileName' | 'status'>[],
  hasMore: boolean,
): LinkPreview {
  if (upload.passwordHash !== null) return { title: 'Shared files', description: 'Protected by a password.' }
  const available = files.filter(({ status }) => status === 'uploaded' || upload.stream === 1)
  const count = hasMore ? upload.fileCount : available.length
  const counted = `${String(count)} ${count === 1 ? 'file' : 'files'}`
  const size = upload.size > 0 ? `, ${roughSize(upload.size)}` : ''
  const description = `${counted}${size}${upload.e2ee === '' ? '' : ', end-to-end encrypted'}`
  const [only, second] = available
  if (upload.e2ee !== '' || only === undefined || second !== undefined)
    return { title: 'Shared files', description }
  return { title: only.fileName, description }
}
