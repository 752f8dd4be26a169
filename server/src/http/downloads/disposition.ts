import { create } from 'content-disposition'

/**
 * What older clients, which only read `filename`, get: ASCII that nobody reads differently. Quotes and backslashes
 * need escapes that not all understand, and some decode percent signs (RFC 6266 appendix D).
 */
function asciiName(name: string): string {
  return name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\]|%(?=[0-9a-f]{2})/gi, '_')
}

/**
 * The `Content-Disposition` of a file (RFC 6266): its name in ASCII, and exactly in `filename*` (RFC 8187) where
 * that differs.
 * @param fileName a name by our rules; of one with folders, only the last segment is offered
 * @param disposition whether a browser should show the file or save it
 */
export function contentDisposition(fileName: string, disposition: 'inline' | 'attachment'): string {
  // A broken surrogate, which only an unchecked name can have, would make the encoding throw.
  const name = fileName.slice(fileName.lastIndexOf('/') + 1).toWellFormed()
  return create(name, { type: disposition, fallback: asciiName(name) })
}
