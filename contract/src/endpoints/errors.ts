/** What the steps before a handler refuse (specification §1): each part belongs to the list of many endpoints. */

/** Acting as somebody (`X-Svc-Impersonate`): who may not, and as nobody. */
const acting = ['login_required', 'not_allowed', 'user_not_found'] as const

/** A change that a page of another site asks for, or without the value that belongs to the session. */
const forged = ['cross_site', 'invalid_xsrf'] as const

/** A body that is no JSON of the schema. */
export const jsonErrors = [
  'invalid_json',
  'invalid_request',
  'body_too_big',
  'unsupported_media_type',
] as const

/** The chain `auth`. */
export const guestErrors = ['feature_disabled', ...acting] as const
export const guestChangeErrors = [...guestErrors, ...forged] as const

/** The chain `authenticated`. */
export const userErrors = ['feature_disabled', 'invalid_session', ...acting] as const
export const userChangeErrors = [...userErrors, ...forged] as const

/** The chain `admin`, which knows no acting. */
export const adminErrors = ['feature_disabled', 'invalid_session', 'login_required', 'not_allowed'] as const
export const adminChangeErrors = [...adminErrors, ...forged] as const

/** The chain `token`, for what a guest may do: a session that has ended is forgotten. */
export const visitorErrors = ['feature_disabled', 'invalid_token', ...acting] as const
/** The chain `token`. */
export const changeErrors = [...visitorErrors, 'invalid_session', ...forged] as const

/** The password of an upload, whoever has to give it. */
export const passwordErrors = ['wrong_credentials', 'too_many_attempts', 'unavailable'] as const

/** What every door for pieces refuses. */
const piecesErrors = [
  ...changeErrors,
  'upload_not_found',
  'anonymous_refused',
  'address_refused',
  'unavailable',
] as const
/** Of a file that is there already. */
export const unfinishedErrors = [
  ...piecesErrors,
  'file_not_found',
  'file_not_missing',
  'taken_over',
  'not_encrypted',
] as const
/** Of a piece, beside these. */
export const pieceErrors = [
  'invalid_request',
  'file_too_big',
  'size_mismatch',
  'quota_reached',
  'checksum_mismatch',
  'upload_aborted',
  'no_space',
  'budget_reached',
] as const
