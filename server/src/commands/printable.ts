/**
 * What would steer a terminal, or turn the direction of its text: controls (C0, DEL, C1), line breaks, marks of
 * direction (Unicode Standard Annex 9), and halves of characters.
 */
const steering = /[\p{Cc}\p{Cs}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The same characters in JSON, where a line break only separates, and escapes spell the rest. */
const steeringInJson = /[\x7f-\x9f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text from anybody, so that it can be shown in a terminal: on one line, and nothing but a text. */
export const printable = (text: string): string => text.replace(steering, escape)

/** A value as JSON that can be shown in a terminal, too. It reads back as the same value. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(steeringInJson, escape)
