/**
 * Characters that control a terminal instead of being shown: control characters of both sets, lone surrogates, line breaks
 * of Unicode, and those that change the writing direction (Unicode Standard Annex 9).
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text of unknown origin, such as a file name or a message of a server, as one harmless line. */
export const printable = (text: string): string => text.replaceAll(unprintable, escaped)

/** JSON that is harmless on a terminal and parses to the same value. The line breaks between its lines stay. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(unprintable, (character) =>
    character === '\n' ? character : escaped(character),
  )
