import { expectedGuest, headers } from '../base/names.ts'

/** Errors of the steps before a handler (docs/protocol.md#request-handling). Many endpoints share each list. */

/** Impersonation (`X-Svc-Impersonate`). */
const impersonationErrors = ['login_required', 'not_allowed', 'user_not_found'] as const

/** A change from a page of another site, or without the XSRF token of the session. */
const csrfErrors = ['cross_site', 'invalid_xsrf'] as const

/** A body that is not valid JSON or does not match the schema. */
export const jsonErrors = [
  'invalid_json',
  'invalid_request',
  'body_too_big',
  'unsupported_media_type',
] as const

/** The chain `auth`. */
export const guestErrors = ['feature_disabled', ...impersonationErrors] as const
export const guestChangeErrors = [...guestErrors, ...csrfErrors] as const

/** The chain `authenticated`. */
export const userErrors = ['feature_disabled', 'invalid_session', ...impersonationErrors] as const
export const userChangeErrors = [...userErrors, ...csrfErrors, 'other_user'] as const

/** The chain `admin`, which does not support impersonation. */
export const adminErrors = ['feature_disabled', 'invalid_session', 'login_required', 'not_allowed'] as const
export const adminChangeErrors = [...adminErrors, ...csrfErrors] as const

/** The chain `token`, for actions of guests: an expired session is ignored. */
export const visitorErrors = ['feature_disabled', 'invalid_token', ...impersonationErrors] as const
/** The chain `token`. */
export const changeErrors = [...visitorErrors, 'invalid_session', ...csrfErrors] as const

/** The password of an upload. */
export const passwordErrors = ['wrong_credentials', 'too_many_attempts', 'unavailable'] as const

/** A file of an upload to an upload request. */
export const requestErrors = ['request_closed', 'request_full', 'place_taken', 'extension_refused'] as const

/** Every endpoint of resumable uploads. */
const resumableErrors = [
  ...changeErrors,
  'upload_not_found',
  'anonymous_refused',
  'address_refused',
  'unavailable',
] as const
/** Endpoints of an existing unfinished file. */
export const unfinishedErrors = [
  ...resumableErrors,
  'file_not_found',
  'file_not_missing',
  'taken_over',
  'not_encrypted',
] as const
/** Additional errors of cancelling a file that is complete, which removes it. */
export const cancelErrors = ['wrong_credentials', 'too_many_attempts'] as const
/** Additional errors of a part. */
export const partErrors = [
  ...requestErrors,
  'invalid_request',
  'file_too_big',
  'size_mismatch',
  'quota_reached',
  'checksum_mismatch',
  'upload_aborted',
  'no_space',
  'budget_reached',
] as const

/** The header of requests that create something for the user of the session (docs/protocol.md#authentication). */
export const expectedUserHeader = {
  [headers.expectedUser]: `Id of the user that the client shows, percent-encoded, or \`${expectedGuest}\`. The request of another user is refused (\`other_user\`).`,
} as const
