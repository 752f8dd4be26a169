import { lastSegment } from '@svc/contract'
import { create } from 'content-disposition'

/**
 * The `filename` for older clients: ASCII that all clients read the same way. Not all clients understand escaped quotes
 * and backslashes, and some decode percent signs (RFC 6266 appendix D).
 */
function asciiName(name: string): string {
  return name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\]|%(?=[0-9a-f]{2})/gi, '_')
}

/**
 * The `Content-Disposition` of a file (RFC 6266): its name in ASCII, and exactly in `filename*` (RFC 8187) where that
 * differs.
 * @param fileName a valid file name; the header has its last segment
 * @param disposition whether a browser should show the file or save it
 */
export function contentDisposition(fileName: string, disposition: 'inline' | 'attachment'): string {
  // The encoding throws for a lone surrogate, which only an unchecked name can contain.
  const name = lastSegment(fileName).toWellFormed()
  return create(name, { type: disposition, fallback: asciiName(name) })
}
