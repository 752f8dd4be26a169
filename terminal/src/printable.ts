/**
 * Everything that does something to a terminal instead of being shown: controls of both sets, lone halves of
 * characters, line breaks of Unicode, and what turns the direction of writing (Unicode Standard Annex 9).
 */
const active = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

const spelt = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text from outside as one harmless line: names of files, words of a server. */
export const printable = (text: string): string => text.replaceAll(active, spelt)

/** JSON that is harmless on a terminal and reads back as the same value. Its own line breaks stay. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(active, (character) =>
    character === '\n' ? character : spelt(character),
  )
