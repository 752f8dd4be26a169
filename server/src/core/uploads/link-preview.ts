import { roughSize } from '@svc/terminal'
import type { UploadRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

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
 * @throws ServiceError `unavailable`
 */
export async function previewOf(
  { store }: Pick<Service, 'store'>,
  upload: Pick<UploadRecord, 'e2ee' | 'id' | 'passwordHash' | 'size' | 'stream'>,
): Promise<LinkPreview> {
  const title = 'Shared files'
  if (upload.passwordHash !== null) return { title, description: 'Protected by a password.' }
  if (upload.stream === 1) return { title, description: 'A live transfer: the files are not stored.' }
  const count = (await store.files.countStored(upload.id)).files
  const counted = `${String(count)} ${count === 1 ? 'file' : 'files'}`
  const size = upload.size > 0 ? `, ${roughSize(upload.size)}` : ''
  const description = `${counted}${size}${upload.e2ee === '' ? '' : ', end-to-end encrypted'}`
  if (count !== 1 || upload.e2ee !== '') return { title, description }
  const only = (await store.files.first(upload.id)).find(({ status }) => status === 'uploaded')
  return { title: only?.fileName ?? title, description }
}
