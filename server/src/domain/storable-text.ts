import { invalidRequest } from './errors.ts'

/**
 * Rejects a text that only some databases store: PostgreSQL has no character NUL, and every export must fit every
 * database.
 * @throws ServiceError `invalid_request`
 */
export function requireStorable(name: string, text: string): void {
  if (text.includes('\0')) throw invalidRequest(`${name} must not contain the character NUL`)
}
