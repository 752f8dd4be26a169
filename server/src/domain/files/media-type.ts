const unknownType = 'application/octet-stream'

/**
 * Pictures that every current browser draws without running anything. SVG is left out because it is a document
 * with scripts (specification §4, download rule 5); TIFF and HEIC because few browsers draw them.
 */
const drawnImages: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
])

/** A whole type as detection writes it, at most with a codec: nothing a header could be split with. */
const playedType = /^(?:audio|video)\/[a-z0-9][a-z0-9.+-]*(?:; ?codecs=[a-z0-9.]+)?$/

/**
 * The `Content-Type` that a stored file goes out with: an allow-list, so that a type nobody thought of (or HTML, SVG,
 * XML, JavaScript, PDF) is never shown as a document of our origin (specification §4, download rules 3 and 5).
 * @param type the media type detected from the file's first bytes
 * @param options e2ee: the bytes are encrypted, so whatever was detected says nothing about the content
 */
export function servedType(type: string, options: { readonly e2ee: boolean }): string {
  if (options.e2ee) return unknownType
  const detected = type.trim().toLowerCase()
  if (drawnImages.has(detected) || playedType.test(detected)) return detected
  // Text is only detected when it is UTF-8, or has a byte order mark, which browsers heed before the charset.
  if (/^text\/plain *(?:;|$)/.test(detected)) return 'text/plain; charset=utf-8'
  return unknownType
}
