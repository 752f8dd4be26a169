import { contentDisposition } from './disposition.ts'
import { isLimited } from '../../domain/limits/download-limit.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'

/** Uploaded content must not act with this origin. */
const contentHeaders = {
  'content-security-policy':
    "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-site',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const

/** Content that can be read only once, or only with a secret, must not be cached. */
export function cacheControl(upload: UploadRecord): string {
  const isUncacheable =
    isLimited(upload) ||
    upload.stream === 1 ||
    upload.passwordHash !== null ||
    upload.requestId !== null ||
    upload.e2ee !== ''
  return isUncacheable ? 'no-store' : 'private, no-cache'
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

/** Headers of all responses of download routes, including errors. */
export const downloadHeaders = (svcDomain: string): Readonly<Record<string, string>> => ({
  ...contentHeaders,
  ...corsHeaders(svcDomain),
})

export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, Range, X-ClientApp',
  'access-control-max-age': '86400',
} as const

/** The requested disposition: `dl=1` saves a file instead of displaying it. */
export function requestedDisposition(query: unknown): 'inline' | 'attachment' {
  const { dl } = query as { readonly dl?: string }
  return dl === '1' ? 'attachment' : 'inline'
}

/** Headers of a download in addition to those of its route. */
export function servedHeaders(
  query: unknown,
  upload: UploadRecord,
  content: { readonly name: string; readonly type: string },
): Readonly<Record<string, string>> {
  return {
    'content-type': content.type,
    'content-disposition': contentDisposition(content.name, requestedDisposition(query)),
    'cache-control': cacheControl(upload),
  }
}
