const unknownType = 'application/octet-stream'

/**
 * Images that every current browser renders without running code. SVG is missing because it is a document with
 * scripts (docs/protocol.md#downloading), TIFF and HEIC because few browsers render them.
 */
const renderedImages: ReadonlySet<string> = new Set([
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

/** A complete type in the form of type detection, at most with a codec: no character that could split a header. */
const playableType = /^(?:audio|video)\/[a-z0-9][a-z0-9.+-]*(?:; ?codecs=[a-z0-9.]+)?$/

/**
 * The `Content-Type` of a stored file in a response. It is an allow-list, so that unexpected types (or HTML, SVG,
 * XML, JavaScript, PDF) are never shown as a document of our origin (docs/protocol.md#downloading).
 * @param type the media type detected from the file's first bytes
 * @param options e2ee: the bytes are encrypted, so the detected type does not describe the content
 */
export function servedType(type: string, options: { readonly e2ee: boolean }): string {
  if (options.e2ee) return unknownType
  const detected = type.trim().toLowerCase()
  if (renderedImages.has(detected) || playableType.test(detected)) return detected
  // Detected text is UTF-8 or has a byte order mark, which browsers prefer to the charset.
  if (/^text\/plain *(?:;|$)/.test(detected)) return 'text/plain; charset=utf-8'
  return unknownType
}
