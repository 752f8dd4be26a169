import { type Upload, withKey } from '@svc/contract'
import { api } from '../../api/api.ts'
import { shortLink } from '../../api/short-link.ts'

/** Links to the page of an upload, with the key of an encrypted one. */
export interface ShareLinks {
  /** Link for recipients. */
  readonly link: string
  /** The same for chats, which can describe it. */
  readonly short: string
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
    short: shortLink(upload.id, key),
    adminLink: withKey(api.pageURL(upload, own), key),
  }
}
