import { errorCodes, formatSize, limits, type ErrorCode } from '@svc/contract'
import { budgetLabels, type BudgetName } from './budgets.ts'

/** An error for the client: a stable code, its HTTP status, and a sentence that says what to do. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly status: number
  /** The response headers of the error. */
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

/** An error whose message is the same each time. */
export const errorFactory =
  (code: ErrorCode, message: string) =>
  (cause?: unknown): ServiceError =>
    new ServiceError(code, message, { cause })

// 400
export const invalidRequest = (message: string, cause?: unknown) =>
  new ServiceError('invalid_request', message, { cause })
export const malformedAddress = errorFactory('invalid_request', 'the address is malformed')
export const invalidJson = errorFactory('invalid_json', 'the body is not valid JSON')
export const invalidMultipart = (reason: string, cause?: unknown) =>
  new ServiceError('invalid_multipart', `the form could not be read: ${reason}`, { cause })
export const invalidFileName = (reason: string) => new ServiceError('invalid_file_name', reason)
export const invalidArchiveName = errorFactory(
  'invalid_archive_name',
  'the name of an archive must end in .zip',
)
export const invalidTtl = (reason: string) => new ServiceError('invalid_ttl', reason)
export const infiniteTtl = (maxTTL: number) =>
  new ServiceError(
    'infinite_ttl',
    `uploads must expire on this server: choose a ttl of at most ${String(maxTTL)} seconds`,
  )
export const optionDisabled = (option: string) =>
  new ServiceError('option_disabled', `the option ${option} is disabled on this server`)
export const optionRequired = (option: string) =>
  new ServiceError('option_required', `this server requires the option ${option}`)
export const missingFile = errorFactory(
  'missing_file',
  'the form has no file: send it in a part called "file"',
)
export const tooManyFiles = (max: number) =>
  new ServiceError(
    'too_many_files',
    `too many files: an upload holds at most ${String(max)}, and ${String(max)} that were removed`,
  )
export const notEncrypted = (scheme: string) =>
  new ServiceError('not_encrypted', `the upload is marked as encrypted with ${scheme}, but the file is not`)
export const uploadAborted = errorFactory(
  'upload_aborted',
  'the connection ended before the file was complete',
)
/** The error for an interrupted body: a cancelled request has a specific reason. */
export const abortError = (cause: unknown): ServiceError =>
  cause instanceof ServiceError ? cause : uploadAborted(cause)
export const sizeMismatch = (declared: number) =>
  new ServiceError('size_mismatch', `the file does not have the ${String(declared)} bytes that were declared`)
export const streamNotDeclared = errorFactory(
  'stream_not_declared',
  'the file of a stream must be declared before it is sent: declare it with POST /upload',
)
export const previewRefused = (reason: string) => new ServiceError('preview_refused', reason)
export const invalidCursor = errorFactory(
  'invalid_cursor',
  'the cursor does not belong to this listing: start again without it',
)
export const loginFailed = errorFactory('login_failed', 'the sign-in could not be completed: try again')
export const archiveOfStream = errorFactory('archive_of_stream', 'a stream upload cannot be archived')

// 401
export const wrongCredentials = () =>
  new ServiceError('wrong_credentials', 'this upload is protected: send its login and password', {
    headers: { 'www-authenticate': 'Basic realm="svc", charset="UTF-8"' },
  })

export const loginRequired = errorFactory('login_required', 'sign in first')
export const wrongLogin = errorFactory('wrong_credentials', 'wrong login or password')

// 403
export const anonymousRefused = errorFactory(
  'anonymous_refused',
  'only signed-in users can upload to this server: sign in first',
)
export const featureDisabled = (feature: string) =>
  new ServiceError('feature_disabled', `${feature} is disabled on this server`)
export const invalidSession = errorFactory('invalid_session', 'the session has ended: sign in again')
export const invalidToken = errorFactory('invalid_token', 'the user token is unknown, revoked or expired')
export const invalidXsrf = errorFactory(
  'invalid_xsrf',
  'the header X-XSRFToken must repeat the cookie svc-xsrf',
)
export const crossSite = errorFactory('cross_site', 'other sites must not send this request')
export const loginRefused = (reason: string) => new ServiceError('login_refused', reason)
export const notAllowed = (action: string) =>
  new ServiceError('not_allowed', `you are not allowed to ${action}`)
export const beyondScopes = (action: string, scopes: readonly string[] | null) =>
  notAllowed(`${action} with this token: its scopes are ${(scopes ?? []).join(', ')}`)
export const addressRefused = errorFactory('address_refused', 'uploads are not accepted from your address')
export const serviceWorkerRefused = errorFactory(
  'service_worker_refused',
  'a file cannot be registered as a service worker',
)

// 405, 406, 408, 409
/**
 * @param allowed methods, as the header `Allow` lists them (RFC 9110 §15.5.6); empty if there are none
 * @param message instead of the list of methods
 */
export const methodNotAllowed = (
  allowed: string,
  message = `this address supports ${allowed === '' ? 'no methods' : `the methods ${allowed}`}`,
) => new ServiceError('method_not_allowed', message, { headers: { allow: allowed } })
export const botRefused = errorFactory(
  'bot_refused',
  'previews cannot open a file whose downloads are limited',
)
export const requestTimeout = errorFactory('request_timeout', 'the request did not arrive in time')
export const fileNotMissing = errorFactory(
  'file_not_missing',
  'the file is already uploaded or being uploaded',
)
export const previewExists = errorFactory('preview_exists', 'the file has a preview already')
export const downloadInProgress = errorFactory(
  'download_in_progress',
  'the remaining downloads of this file are in progress right now',
)

export const takenOver = errorFactory('taken_over', 'a newer connection sends this file now')
export const offsetMismatch = (received: number) =>
  new ServiceError('offset_mismatch', `the file continues at byte ${String(received)}`, {
    headers: { 'upload-offset': String(received) },
  })

/** The status is that of tus, because HTTP has none for it. */
export const checksumMismatch = errorFactory(
  'checksum_mismatch',
  'the bytes do not have the checksum that was sent with them: send them again',
)

export const unsupportedVersion = (versions: string) =>
  new ServiceError(
    'unsupported_version',
    `this server supports tus ${versions}: send this version in Tus-Resumable`,
    {
      headers: { 'tus-version': versions },
    },
  )
export const otherUser = errorFactory(
  'other_user',
  'the session belongs to another user than the client shows: show the user of the session, and ask again',
)

// 413, 415, 416
export const quotaReached = (limit: number) =>
  new ServiceError('quota_reached', `the quota of the user is reached (limit is ${formatSize(limit)})`)
export const fileTooBig = (limit: number) =>
  new ServiceError('file_too_big', `file too big (limit is ${formatSize(limit)})`)
/** @param limit in bytes; by default that of JSON */
export const bodyTooBig = (limit: number = limits.jsonBodyBytes) =>
  new ServiceError('body_too_big', `the body is too big (limit is ${formatSize(limit)})`)
export const unsupportedMediaType = (expected: string) =>
  new ServiceError('unsupported_media_type', `the body must be ${expected}`)
/** @param size bytes of the file; undefined where a library does not say */
export const rangeNotSatisfiable = (size?: number) =>
  size === undefined
    ? new ServiceError('range_not_satisfiable', 'the range is outside of the file')
    : new ServiceError('range_not_satisfiable', `the range is outside of the ${String(size)} bytes`, {
        headers: { 'content-range': `bytes */${String(size)}` },
      })

// 429, 431, 500, 502, 503, 504, 507
/** @param seconds until it makes sense to try again */
export const tooManyAttempts = (seconds: number) =>
  new ServiceError('too_many_attempts', `too many attempts: try again in ${String(seconds)} seconds`, {
    headers: { 'retry-after': String(seconds) },
  })
export const tooManyStreams = () =>
  new ServiceError('too_many_connections', 'too many streams of events are open: close some of them', {
    headers: { 'retry-after': '15' },
  })
/** @param seconds until the next hour begins */
export const budgetReached = (budget: BudgetName, seconds: number) =>
  new ServiceError(
    'budget_reached',
    `too many ${budgetLabels[budget]} from your network or account: try again in ${String(seconds)} seconds`,
    { headers: { 'retry-after': String(seconds) } },
  )
export const tooManyConnections = () =>
  new ServiceError(
    'too_many_connections',
    'too many connections come from your network: close some of them',
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
  new ServiceError('unavailable', 'too many passwords are being checked: try again', {
    headers: { 'retry-after': '5' },
  })
export const tooManyArchives = () =>
  new ServiceError('unavailable', 'too many archives are being planned: try again', {
    headers: { 'retry-after': '5' },
  })
export const tooManyCodes = () =>
  new ServiceError('unavailable', 'too many QR codes are being drawn: try again', {
    headers: { 'retry-after': '5' },
  })
export const unavailable = (what: string, cause?: unknown) =>
  new ServiceError('unavailable', `${what} cannot be reached right now: try again`, {
    cause,
    headers: { 'retry-after': '5' },
  })
export const databaseReadOnly = () =>
  new ServiceError('unavailable', 'the database does not accept writes right now: try again', {
    headers: { 'retry-after': '5' },
  })
export const databaseBusy = () =>
  new ServiceError('unavailable', 'the database is busy: try again', {
    headers: { 'retry-after': '5' },
  })
export const heldByOtherInstance = () =>
  new ServiceError('unavailable', 'another instance of the server still holds this file: try again', {
    headers: { 'retry-after': '1' },
  })
export const notReady = () =>
  new ServiceError('not_ready', 'this server is not ready: use another server or try again', {
    headers: { 'retry-after': '5' },
  })
export const stopping = () =>
  new ServiceError('unavailable', 'this server is stopping: try again', {
    headers: { 'retry-after': '5' },
  })
export const internalError = (cause?: unknown) =>
  new ServiceError('internal_error', 'something went wrong on the server', { cause })
export const streamBroken = errorFactory(
  'stream_broken',
  'the other side of the stream disconnected: try again',
)
export const streamTimeout = errorFactory('stream_timeout', 'the file was not downloaded in time')
export const noSpace = errorFactory('no_space', 'the server has no space left for this')
export const databaseFull = errorFactory(
  'database_full',
  'the database of the server is full: changes are not possible for now; downloads still work, except those with a download limit or a password',
)

/**
 * The error of a file of a form, with its name. The files before it have arrived, so the sender must know that they are
 * removed, too.
 * @param fileName empty for an error of the form
 */
export const formNotStored = (cause: ServiceError, fileName: string) => {
  const name = fileName === '' ? '' : `${fileName}: `
  const message = `${name}${cause.message}; no file of the form is stored`
  return new ServiceError(cause.code, message, { cause, headers: cause.headers })
}
