import { type Upload, withKey } from '@svc/contract'
import { api } from '../../api/api.ts'

/** Links to the page of an upload, with the key of an encrypted one. */
export interface ShareLinks {
  /** Link for recipients. */
  readonly link: string
  /** Admin link for the sender: it allows deleting the files. */
  readonly adminLink: string
}

/** @param key undefined for an upload without encryption */
export function shareLinks(
  upload: Pick<Upload, 'id'> & { readonly uploadToken?: string | undefined },
  key: string | undefined,
): ShareLinks {
  const { uploadToken } = upload
  const own = uploadToken === undefined ? {} : { uploadToken }
  return {
    link: withKey(api.pageURL(upload), key),
    adminLink: withKey(api.pageURL(upload, own), key),
  }
}
