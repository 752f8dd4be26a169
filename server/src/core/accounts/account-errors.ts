import { errorFactory, ServiceError } from '../../domain/errors.ts'

// Errors of accounts, their sessions and their tokens.

export const wrongCurrentPassword = errorFactory('wrong_credentials', 'the current password is wrong')
export const wrongSecret = errorFactory('wrong_credentials', 'the secret does not belong to this code')
export const lastAdmin = errorFactory(
  'last_admin',
  'this is the last admin: make another user an admin first',
)
export const userNotFound = errorFactory('user_not_found', 'user not found')
export const tokenNotFound = errorFactory('token_not_found', 'token not found: it may have been revoked')
export const sessionNotFound = errorFactory('session_not_found', 'session not found: it may have ended')
export const codeNotFound = errorFactory(
  'code_not_found',
  'the code is unknown, used or expired: start the sign-in again',
)
export const tooManyTokens = (max: number) =>
  new ServiceError('too_many_tokens', `you have ${String(max)} tokens already: revoke some first`)
export const userExists = (id: string) => new ServiceError('user_exists', `the user ${id} already exists`)
