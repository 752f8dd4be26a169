import type { Access, LinkedUpload } from '@svc/sdk'
import { baseURL } from './client.ts'

/** What is shown where an upload's files are: another domain lets `Authorization` pass, and no header of ours. */
export function downloadAccess({ downloadURL }: Pick<LinkedUpload, 'downloadURL'>, access: Access): Access {
  const own = downloadURL === undefined || new URL(downloadURL).origin === new URL(baseURL).origin
  return own ? access : { credentials: access.credentials }
}
