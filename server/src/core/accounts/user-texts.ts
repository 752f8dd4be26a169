import { limits } from '@svc/contract'
import { invalidRequest } from '../../domain/errors.ts'
import { requireLine } from '../../domain/text/storable-text.ts'

/**
 * Rejects a text of an account that a database would change.
 * @throws ServiceError `invalid_request`
 */
export function requireUserText(name: string, value: string): void {
  if (/\p{Cc}/u.test(value) || !value.isWellFormed())
    throw invalidRequest(`${name} must not contain control characters or incomplete characters`)
  if (Array.from(value).length > limits.profileTextLength) throw invalidRequest(`${name} is too long`)
}

/**
 * Rejects a login that admins would read as another one.
 * @throws ServiceError `invalid_request`
 */
export function requireLogin(login: string): void {
  requireUserText('login', login)
  requireLine('login', login)
}
