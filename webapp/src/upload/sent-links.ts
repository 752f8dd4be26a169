import type { Upload } from '@svc/contract'
import { client } from '../app/client.ts'
import { withKey } from '../encryption/link-key.ts'

/** Links to the page of an upload, with the key of an encrypted one. */
export interface SentLinks {
  /** To pass on. */
  readonly link: string
  /** For whoever sent it: its page lets the files be removed. */
  readonly ownLink: string
}

/** @param key undefined where nothing is encrypted */
export function sentLinks(upload: Upload, key: string | undefined): SentLinks {
  const { uploadToken } = upload
  const own = uploadToken === undefined ? {} : { uploadToken }
  return {
    link: withKey(client.pageURL(upload), key),
    ownLink: withKey(client.pageURL(upload, own), key),
  }
}
