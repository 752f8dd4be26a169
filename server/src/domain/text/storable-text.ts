import { invalidRequest } from '../errors.ts'

/** Controls, line breaks, and characters that change the writing direction, as in file names. */
const unprintable = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/**
 * Rejects a text that only some databases store: PostgreSQL has no character NUL, and every export must fit every
 * database.
 * @throws ServiceError `invalid_request`
 */
export function requireStorable(name: string, text: string): void {
  if (text.includes('\0')) throw invalidRequest(`${name} must not contain the character NUL`)
}

/**
 * Rejects a text that other people would read as something else, or that breaks the line of a terminal.
 * @throws ServiceError `invalid_request`
 */
export function requireLine(name: string, text: string): void {
  if (unprintable.test(text) || !text.isWellFormed())
    throw invalidRequest(`${name} must be one line without control characters or incomplete characters`)
}
