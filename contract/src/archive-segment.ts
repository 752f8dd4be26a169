import { utf8Length } from './utf8-length.ts'

/** Longest name of one file or folder that common file systems take, in bytes of UTF-8. */
const segmentBytes = 255

/** Names that Windows gives to devices, with any extension and any case, and perhaps after spaces. */
const deviceName = /^ *(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?= *(?:\.|$))/i

/**
 * Characters that mean something else to a file system or a terminal: separators, Windows' wildcards and alternate
 * streams, controls, line breaks, and characters that turn the writing direction.
 */
const hostile = /[\\:*?"<>|\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const extensionAtEnd = /(?:\.tar)?\.[^. ]{1,16}$/i

export interface SegmentParts {
  readonly stem: string
  /** With its dot; empty when there is none. */
  readonly extension: string
}

/** Parts a file's name where a number can be put in without changing its type. */
export function partsOf(segment: string): SegmentParts {
  const at = segment.search(extensionAtEnd)
  // A leading dot hides a file, it does not begin an extension.
  if (at <= 0) return { stem: segment, extension: '' }
  return { stem: segment.slice(0, at), extension: segment.slice(at) }
}

/** As many whole characters from the beginning as fit. */
function fitting(text: string, bytes: number): string {
  if (utf8Length(text) <= bytes) return text
  let taken = 0
  let length = 0
  for (const character of text) {
    taken += utf8Length(character)
    if (taken > bytes) break
    length += character.length
  }
  return text.slice(0, length)
}

/** Windows drops dots and spaces at the end, so that two names could become one, or `...` the folder above. */
const withoutLooseEnd = (text: string) => text.replace(/(?<![. ])[. ]+$/, '_')

/**
 * Puts a name together so that it is not longer than file systems take; what is cut off is the end of the stem.
 * @param mark what comes between stem and extension
 */
export function joinParts({ stem, extension }: SegmentParts, mark = ''): string {
  const room = segmentBytes - utf8Length(mark) - utf8Length(extension)
  return withoutLooseEnd(fitting(stem, room) + mark + extension)
}

/** A name of one file or folder that is the same harmless name on every system. */
export function safeSegment(segment: string): string {
  const plain = withoutLooseEnd(segment.toWellFormed().replace(hostile, '_'))
  const named = deviceName.test(plain) ? `_${plain}` : plain
  return joinParts(partsOf(named))
}
