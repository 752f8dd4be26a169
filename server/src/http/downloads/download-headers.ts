import { contentDisposition } from './disposition.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'

/** What somebody uploaded must not act in this origin's name. */
const contentHeaders = {
  'content-security-policy':
    "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-site',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const

/** What may be read only once, or only with a secret, must not stay in a cache. */
export function cacheControl(upload: UploadRecord): string {
  const fleeting =
    upload.oneShot === 1 || upload.stream === 1 || upload.passwordHash !== null || upload.e2ee !== ''
  return fleeting ? 'no-store' : 'private, no-cache'
}

export const entityTag = (file: FileRecord): string => `"${file.md5}"`

/** Headers of download routes for pages of other origins. */
export function corsHeaders(svcDomain: string): Readonly<Record<string, string>> {
  if (svcDomain === '') return {}
  return {
    'access-control-allow-origin': svcDomain,
    'access-control-expose-headers': 'Content-Disposition, Content-Length, Content-Range, ETag',
    vary: 'Origin',
  }
}

/** Headers of all answers of the routes that serve what somebody uploaded, of refusals, too. */
export const downloadHeaders = (svcDomain: string): Readonly<Record<string, string>> => ({
  ...contentHeaders,
  ...corsHeaders(svcDomain),
})

export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, Range, X-ClientApp',
  'access-control-max-age': '86400',
} as const

/** How a query asks a browser to treat a file: `dl=1` to save it instead of showing it. */
export function askedDisposition(query: unknown): 'inline' | 'attachment' {
  const { dl } = query as { readonly dl?: string }
  return dl === '1' ? 'attachment' : 'inline'
}

/** What every download says of itself, beside the headers of its route. */
export function servedHeaders(
  query: unknown,
  upload: UploadRecord,
  what: { readonly name: string; readonly type: string },
): Readonly<Record<string, string>> {
  return {
    'content-type': what.type,
    'content-disposition': contentDisposition(what.name, askedDisposition(query)),
    'cache-control': cacheControl(upload),
  }
}
