import { markupType } from './markup-type.ts'

/**
 * Characters that text does not contain (WHATWG MIME Sniffing §3, "binary data byte"): controls but tab, breaks and
 * escape.
 */
// eslint-disable-next-line no-control-regex -- controls are what is looked for
const binaryCharacter = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** The byte order mark decides; without one, only UTF-8 can be recognised reliably. */
function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

/** The decoded bytes without byte order mark, or null when they are invalid in the encoding. */
function decode(head: Uint8Array, complete: boolean): string | null {
  try {
    // In streaming mode, an incomplete character at the end is not an error.
    return new TextDecoder(encodingOf(head), { fatal: true }).decode(head, { stream: !complete })
  } catch {
    return null
  }
}

/**
 * The media type of bytes without a magic number, if they are text: `text/html`, `image/svg+xml`, `application/xml`
 * or `text/plain` (UTF-8, or UTF-16 with a byte order mark). An empty file is plain text.
 * @param head the first bytes of a file
 * @param options complete: whether they are all bytes; otherwise an incomplete character at the end is valid
 * @returns null when they are not text
 */
export function textType(head: Uint8Array, options: { readonly complete: boolean }): string | null {
  const text = decode(head, options.complete)
  if (text === null || binaryCharacter.test(text)) return null
  return markupType(text) ?? 'text/plain'
}
