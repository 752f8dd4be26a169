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

/** Characters without a width: format characters, and those that are shown as nothing by definition. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * Rejects the login of a new local user that looks like another one. Older logins and those of providers stay valid.
 * @throws ServiceError `invalid_request`
 */
export function requireDistinctLogin(login: string): void {
  if (login !== login.trim()) throw invalidRequest('login must not begin or end with a blank')
  if (invisible.test(login)) throw invalidRequest('login must not contain invisible characters')
  const plain = login.normalize('NFKC')
  if (login !== plain) throw invalidRequest(`login must have its usual characters: ${plain}`)
}
