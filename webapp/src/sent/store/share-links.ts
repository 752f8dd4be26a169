import { type Upload, withKey } from '@svc/contract'
import { api } from '../../api/api.ts'

/** Links to the page of an upload, with the key of an encrypted one. */
export interface ShareLinks {
  /** Link for recipients: the short one if its end was chosen. */
  readonly link: string
  /** The short link for chats, which can describe it (docs/appearance.md#previews-of-links); undefined if it is the same. */
  readonly short: string | undefined
  /** Link to manage the upload, for its sender: it allows deleting the files. */
  readonly adminLink: string
}

/**
 * @param key undefined for an upload without encryption
 * @param mark of the manifest; undefined for an upload without one
 */
export function shareLinks(
  upload: Pick<Upload, 'id' | 'alias'> & { readonly uploadToken?: string | undefined },
  key: string | undefined,
  mark?: string,
): ShareLinks {
  const { uploadToken } = upload
  const own = uploadToken === undefined ? {} : { uploadToken }
  const short = withKey(api.shortURL(upload), key, mark)
  const hasAlias = upload.alias !== undefined
  return {
    link: hasAlias ? short : withKey(api.pageURL(upload), key, mark),
    short: hasAlias ? undefined : short,
    adminLink: withKey(api.pageURL(upload, own), key, mark),
  }
}
