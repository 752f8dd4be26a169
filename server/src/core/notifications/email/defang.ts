/** What mail programs recognise in an address: they make links of `http://…`, `www.…`, `name@…` and of bare host names. */
const partOfAddress = /[.:/\\@\u3002\uff0e\uff61](?=\S)/gu

/** Line breaks and other control characters, and those that change the direction of the text after them. */
const control = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Has no width and allows no line break (U+2060, WORD JOINER). */
const joiner = '\u2060'

/**
 * A text of a user for a message: it looks the same, but mail programs make no link of it, and it stays within its line. HTML
 * needs this as well, because they look for addresses in its text.
 */
export const defang = (text: string): string =>
  text.replaceAll(control, ' ').replaceAll(partOfAddress, (part) => part + joiner)
