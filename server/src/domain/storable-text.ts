import { invalidRequest } from './errors.ts'

/**
 * Refuses a text that only some databases keep: PostgreSQL has no character NUL, and what is exported from one database
 * must go into each.
 * @throws ServiceError `invalid_request`
 */
export function requireStorable(name: string, text: string): void {
  if (text.includes('\0')) throw invalidRequest(`${name} must not contain the character NUL`)
}
