/** The last resort, in which every byte is a character (WHATWG Encoding, "windows-1252"). */
const lastResort = 'windows-1252'

function strictly(bytes: Uint8Array<ArrayBuffer>, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    // Bytes that are invalid in this encoding, or an unknown encoding.
    return undefined
  }
}

/** The encoding of a byte order mark (WHATWG Encoding, "BOM sniff"). */
function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/** The charset that a media type names. */
const declaredEncoding = (type: string) => /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1]

/**
 * Bytes as text: by their byte order mark, else by the charset of their media type as far as they are valid in it, else
 * as UTF-8, else as windows-1252.
 * @param type a media type such as `text/plain; charset=utf-8`
 */
export function decodeText(bytes: Uint8Array<ArrayBuffer>, type: string): string {
  const marked = markedEncoding(bytes)
  // A truncated file may end in the middle of a character.
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  const declared = declaredEncoding(type)
  return (
    (declared === undefined ? undefined : strictly(bytes, declared)) ??
    strictly(bytes, 'utf-8') ??
    new TextDecoder(lastResort).decode(bytes)
  )
}

/** Whether a text contains characters that only binary data has. */
export const looksBinary = (text: string): boolean => text.includes('\0')
