import { errorCodes, limits, type ErrorCode } from '@svc/contract'
import { formatSize } from '../config/values/sizes.ts'
import { budgetWords, type BudgetName } from './budgets.ts'

/** A refusal: a stable code, its HTTP status, and a sentence that says what to do. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly status: number
  /** Headers that belong to the refusal. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    more: { readonly cause?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.status = errorCodes[code]
    this.headers = more.headers ?? {}
  }
}

const refuse =
  (code: ErrorCode, message: string) =>
  (cause?: unknown): ServiceError =>
    new ServiceError(code, message, { cause })

// 400
export const invalidRequest = (message: string, cause?: unknown) =>
  new ServiceError('invalid_request', message, { cause })
export const malformedAddress = refuse('invalid_request', 'the address is malformed')
export const invalidJson = refuse('invalid_json', 'the body is not valid JSON')
export const invalidMultipart = (reason: string, cause?: unknown) =>
  new ServiceError('invalid_multipart', `the form could not be read: ${reason}`, { cause })
export const invalidFileName = (reason: string) => new ServiceError('invalid_file_name', reason)
export const invalidArchiveName = refuse('invalid_archive_name', 'the name of an archive must end in .zip')
export const invalidTtl = (reason: string) => new ServiceError('invalid_ttl', reason)
export const infiniteTtl = (maxTTL: number) =>
  new ServiceError(
    'infinite_ttl',
    `uploads cannot be kept for ever here, ask for at most ${String(maxTTL)} seconds`,
  )
export const optionDisabled = (option: string) =>
  new ServiceError('option_disabled', `the option ${option} is disabled on this server`)
export const optionRequired = (option: string) =>
  new ServiceError('option_required', `this server requires the option ${option}`)
export const missingFile = refuse('missing_file', 'the form has no file, send it in a part called "file"')
export const tooManyFiles = (max: number) =>
  new ServiceError('too_many_files', `too many files, an upload holds at most ${String(max)}`)
export const notEncrypted = (scheme: string) =>
  new ServiceError('not_encrypted', `the upload is marked as encrypted with ${scheme}, but the file is not`)
export const uploadAborted = refuse('upload_aborted', 'the connection ended before the file was complete')
/** Why no more of a body came: one that was given up has its own reason. */
export const brokenOff = (cause: unknown): ServiceError =>
  cause instanceof ServiceError ? cause : uploadAborted(cause)
export const sizeMismatch = (declared: number) =>
  new ServiceError('size_mismatch', `the file does not have the ${String(declared)} bytes that were declared`)
export const streamNotDeclared = refuse(
  'stream_not_declared',
  'a file of a stream has its address before it is sent: declare it with POST /upload',
)
export const invalidCursor = refuse(
  'invalid_cursor',
  'the cursor is none of this listing, begin anew without it',
)
export const loginFailed = refuse('login_failed', 'the login could not be completed, please try again')
export const archiveOfStream = refuse('archive_of_stream', 'a stream upload cannot be archived')

// 401
export const wrongCredentials = () =>
  new ServiceError('wrong_credentials', 'this upload is protected, send its login and password', {
    headers: { 'www-authenticate': 'Basic realm="svc", charset="UTF-8"' },
  })

export const loginRequired = refuse('login_required', 'you must be authenticated, please login first')
export const wrongLogin = refuse('wrong_credentials', 'wrong login or password')
export const wrongCurrentPassword = refuse('wrong_credentials', 'the current password is wrong')
export const wrongSecret = refuse('wrong_credentials', 'the secret does not belong to this code')

// 403
export const anonymousRefused = refuse(
  'anonymous_refused',
  'this server takes uploads of its users only, please login first',
)
export const featureDisabled = (feature: string) =>
  new ServiceError('feature_disabled', `${feature} is disabled on this server`)
export const invalidSession = refuse('invalid_session', 'the session has ended, please login again')
export const invalidToken = refuse('invalid_token', 'the user token is unknown, revoked or expired')
export const invalidXsrf = refuse('invalid_xsrf', 'the header X-XSRFToken must repeat the cookie svc-xsrf')
export const crossSite = refuse('cross_site', 'other sites may not ask for this')
export const loginRefused = (reason: string) => new ServiceError('login_refused', reason)
export const lastAdmin = refuse('last_admin', 'this is the last admin: make another one first')
export const notAllowed = (action: string) =>
  new ServiceError('not_allowed', `you are not allowed to ${action}`)
export const beyondScopes = (action: string, scopes: readonly string[] | null) =>
  notAllowed(`${action} with this token: its scopes are ${(scopes ?? []).join(', ')}`)
export const addressRefused = refuse('address_refused', 'uploads are not accepted from your address')
export const serviceWorkerRefused = refuse(
  'service_worker_refused',
  'a file cannot be registered as a service worker',
)

// 404
export const routeNotFound = (method: string, path: string) =>
  new ServiceError('not_found', `there is nothing at ${method} ${path}`)
export const uploadNotFound = refuse(
  'upload_not_found',
  'upload not found: it may have expired or been removed',
)
export const fileNotFound = refuse('file_not_found', 'file not found: it may have been downloaded or removed')
export const userNotFound = refuse('user_not_found', 'user not found')
export const tokenNotFound = refuse('token_not_found', 'token not found: it may have been revoked')
export const sessionNotFound = refuse('session_not_found', 'session not found: it may have ended')
export const codeNotFound = refuse(
  'code_not_found',
  'the code is unknown, used or expired: start the login again',
)
export const archiveEmpty = refuse('archive_empty', 'the upload has no file to archive')

// 405, 406, 408, 409
/** @param allowed methods, as the header `Allow` lists them (RFC 9110 §15.5.6) */
export const methodNotAllowed = (allowed: string) =>
  new ServiceError('method_not_allowed', `the methods of this address are ${allowed}`, {
    headers: { allow: allowed },
  })
export const botRefused = refuse(
  'bot_refused',
  'previews cannot open a file that can be downloaded only once',
)
export const requestTimeout = refuse('request_timeout', 'the request did not come in time')
export const fileNotMissing = refuse('file_not_missing', 'the file is already uploaded or being uploaded')
export const downloadInProgress = refuse(
  'download_in_progress',
  'the file can be downloaded once, and is being downloaded right now',
)

export const takenOver = refuse('taken_over', 'a newer connection sends this file now')
export const offsetMismatch = (received: number) =>
  new ServiceError('offset_mismatch', `the file goes on at byte ${String(received)}`, {
    headers: { 'upload-offset': String(received) },
  })

export const userExists = (id: string) => new ServiceError('user_exists', `there is a user ${id} already`)

/** The status is that of tus, as HTTP has none for it. */
export const checksumMismatch = refuse(
  'checksum_mismatch',
  'the bytes do not have the checksum that was sent with them, send them again',
)

export const unsupportedVersion = (versions: string) =>
  new ServiceError('unsupported_version', `this server speaks tus ${versions}: send it as Tus-Resumable`, {
    headers: { 'tus-version': versions },
  })

// 413, 415, 416
export const quotaReached = (limit: number) =>
  new ServiceError('quota_reached', `the quota of the user is reached (limit is ${formatSize(limit)})`)
export const fileTooBig = (limit: number) =>
  new ServiceError('file_too_big', `file too big (limit is ${formatSize(limit)})`)
export const bodyTooBig = () =>
  new ServiceError('body_too_big', `the body is too big (limit is ${formatSize(limits.jsonBodyBytes)})`)
export const unsupportedMediaType = (expected: string) =>
  new ServiceError('unsupported_media_type', `the body must be ${expected}`)
export const rangeNotSatisfiable = (size: number) =>
  new ServiceError('range_not_satisfiable', `the range lies outside of the ${String(size)} bytes`, {
    headers: { 'content-range': `bytes */${String(size)}` },
  })

// 429, 431, 500, 502, 503, 504, 507
/** @param seconds until it makes sense to try again */
export const tooManyAttempts = (seconds: number) =>
  new ServiceError('too_many_attempts', `too many attempts, try again in ${String(seconds)} seconds`, {
    headers: { 'retry-after': String(seconds) },
  })
/** @param seconds until the next hour begins */
export const budgetReached = (budget: BudgetName, seconds: number) =>
  new ServiceError(
    'budget_reached',
    `too many ${budgetWords[budget]} from your network or account, try again in ${String(seconds)} seconds`,
    { headers: { 'retry-after': String(seconds) } },
  )
export const tooManyConnections = () =>
  new ServiceError(
    'too_many_connections',
    'too many connections come from your network, close some of them',
    {
      headers: { 'retry-after': '5' },
    },
  )
/** @param limit bytes */
export const headersTooBig = (limit: number) =>
  new ServiceError(
    'headers_too_big',
    `the address and the headers, cookies among them, are too big (limit is ${formatSize(limit)})`,
  )
export const tooBusy = () =>
  new ServiceError('unavailable', 'too many passwords are being checked, please try again', {
    headers: { 'retry-after': '5' },
  })
export const tooManyCodes = () =>
  new ServiceError('unavailable', 'too many QR codes are being drawn, please try again', {
    headers: { 'retry-after': '5' },
  })
export const unavailable = (what: string, cause?: unknown) =>
  new ServiceError('unavailable', `${what} cannot be reached right now, please try again`, {
    cause,
    headers: { 'retry-after': '5' },
  })
export const heldElsewhere = () =>
  new ServiceError('unavailable', 'another server still has this file, please try again', {
    headers: { 'retry-after': '1' },
  })
export const notReady = () =>
  new ServiceError('not_ready', 'this server cannot work right now, please ask another or try again', {
    headers: { 'retry-after': '5' },
  })
export const stopping = () =>
  new ServiceError('unavailable', 'this server is stopping, please try again', {
    headers: { 'retry-after': '5' },
  })
export const internalError = (cause?: unknown) =>
  new ServiceError('internal_error', 'something went wrong on the server', { cause })
export const streamBroken = refuse(
  'stream_broken',
  'the other side of the stream went away, please try again',
)
export const streamTimeout = refuse('stream_timeout', 'the file was not downloaded in time')
export const noSpace = refuse('no_space', 'the server has no space left for this')
export const databaseFull = refuse(
  'database_full',
  'the database of the server is full, nothing can be changed for now; downloads go on',
)
