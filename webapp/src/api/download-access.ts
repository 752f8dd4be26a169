import type { Access, LinkedUpload } from '@svc/sdk'
import { baseURL } from './api.ts'

/** Credentials for downloads. A download domain accepts `Authorization`, but no headers of Svc. */
export function downloadAccess({ downloadURL }: Pick<LinkedUpload, 'downloadURL'>, access: Access): Access {
  const own = downloadURL === undefined || new URL(downloadURL).origin === new URL(baseURL).origin
  return own ? access : { credentials: access.credentials }
}
