import { requestLinkFailure, requestLinkIn } from '../links/request-link.ts'
import { percentDecoded } from '../links/percent-decoded.ts'
import { splitKey, uploadLinkIn, type UploadLink } from '../links/parse-link.ts'
import { usageFailure } from '../errors/failure.ts'

/** The address of a file on any web server. */
export interface WebAddress {
  /** Without a login and a fragment. */
  readonly url: URL
  /** Of an address such as `https://LOGIN:PASSWORD@HOST/FILE`. */
  readonly credentials?: { readonly login: string; readonly password: string }
  /** The passphrase of an encrypted file, after `#key=`. */
  readonly key?: string
}

/** An address of the web; undefined for other texts. */
function webAddressIn(input: string): WebAddress | undefined {
  const url = URL.parse(input.trim())
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined
  const { rest, key } = splitKey(url.hash.slice(1))
  // A page of a web application, such as an incomplete link to an upload.
  if (rest.startsWith('/')) return undefined
  const { username, password } = url
  url.hash = url.username = url.password = ''
  return {
    url,
    ...((username !== '' || password !== '') && {
      credentials: { login: percentDecoded(username), password: percentDecoded(password) },
    }),
    ...(key !== undefined && { key }),
  }
}

/** What `svc get` downloads. */
export type DownloadLink =
  | { readonly kind: 'upload'; readonly link: UploadLink }
  | { readonly kind: 'address'; readonly address: WebAddress }

/**
 * Reads a link to an upload, or any other address of the web.
 * @throws Failure
 */
export function parseDownload(input: string): DownloadLink {
  const link = uploadLinkIn(input)
  if (link !== undefined) return { kind: 'upload', link }
  const address = webAddressIn(input)
  if (address !== undefined) return { kind: 'address', address }
  if (requestLinkIn(input) !== undefined) throw requestLinkFailure(input)
  throw usageFailure(
    `${input} is not a link to an upload (https://SERVER/#/?id=…) or to a file (https://SERVER/FILE)`,
  )
}
