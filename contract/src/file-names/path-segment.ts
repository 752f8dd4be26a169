import { utf8Length } from './utf8-length.ts'

/** Longest name of one file or folder that common file systems allow, in bytes of UTF-8. */
const maxSegmentBytes = 255

/** Device names of Windows, with any extension, in any case, possibly after spaces. */
const deviceName = /^ *(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?= *(?:\.|$))/i

/**
 * Characters with a special meaning for a file system or a terminal: separators, wildcards and alternate streams of
 * Windows, controls, line breaks, and characters that change the writing direction.
 */
const hostileCharacter = /[\\:*?"<>|\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const extensionAtEnd = /(?:\.tar)?\.[^. ]{1,16}$/i

export interface SegmentParts {
  readonly stem: string
  /** With its dot; empty without an extension. */
  readonly extension: string
}

/** Splits a file's name where a number can be inserted without changing its type. */
export function partsOf(segment: string): SegmentParts {
  const at = segment.search(extensionAtEnd)
  // A leading dot hides a file; it does not start an extension.
  if (at <= 0) return { stem: segment, extension: '' }
  return { stem: segment.slice(0, at), extension: segment.slice(at) }
}

/** The longest beginning of whole characters that fits. */
function truncateToBytes(text: string, bytes: number): string {
  if (utf8Length(text) <= bytes) return text
  let bytesTaken = 0
  let length = 0
  for (const character of text) {
    bytesTaken += utf8Length(character)
    if (bytesTaken > bytes) break
    length += character.length
  }
  return text.slice(0, length)
}

/** Windows drops trailing dots and spaces: two names could become one, and `...` could become the parent folder. */
const replaceTrailingDotsAndSpaces = (text: string) => text.replace(/(?<![. ])[. ]+$/, '_')

/**
 * Joins a name and truncates its stem to the length that file systems allow.
 * @param suffix text between stem and extension
 */
export function joinParts({ stem, extension }: SegmentParts, suffix = ''): string {
  const available = maxSegmentBytes - utf8Length(suffix) - utf8Length(extension)
  return replaceTrailingDotsAndSpaces(truncateToBytes(stem, available) + suffix + extension)
}

/** Truncates a stem so that a suffix of this many bytes still fits. */
export const withRoom = ({ stem, extension }: SegmentParts, bytes: number): SegmentParts => ({
  stem: truncateToBytes(stem, maxSegmentBytes - bytes - utf8Length(extension)),
  extension,
})

/** A name of one file or folder that is the same harmless name on every system. */
export function safeSegment(segment: string): string {
  const plain = replaceTrailingDotsAndSpaces(segment.toWellFormed().replace(hostileCharacter, '_'))
  const named = deviceName.test(plain) ? `_${plain}` : plain
  return joinParts(partsOf(named))
}
