/** What came back, read whole as text: the common ground of fetch and XMLHttpRequest. */
export interface ResponseText {
  readonly status: number
  readonly statusText: string
  readonly text: string
  /** A header of the answer; null when absent. */
  readonly header: (name: string) => string | null
}

export interface ApiErrorDetails {
  readonly cause?: unknown
  readonly retryAfter?: number | undefined
}

/**
 * A request that was refused or never got through. `code` is the stable name of the refusal: the server's own,
 * `http_STATUS` when something else answered, `network` when nothing did, `invalid_answer` when a success could
 * not be read. `status` is 0 when there was no answer. `retryAfter` are the seconds after which the server will listen
 * again, if it states them.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, { cause, retryAfter }: ApiErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

const messageLength = 500

/** Reason phrases of what proxies answer; HTTP/2 carries none. */
const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  411: 'Length Required',
  413: 'Content Too Large',
  414: 'URI Too Long',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

function statusLine(answer: ResponseText): string {
  return `${String(answer.status)} ${answer.statusText || (reasons[answer.status] ?? '')}`.trimEnd()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function stringField(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const field: unknown = Reflect.get(value, name)
  return typeof field === 'string' && field !== '' ? field : undefined
}

function isPage(answer: ResponseText): boolean {
  return answer.header('content-type')?.includes('html') === true || answer.text.trimStart().startsWith('<')
}

/** Seconds of a `Retry-After` header (RFC 9110 §10.2.3); a date is ignored. */
function retryAfterOf(answer: ResponseText): number | undefined {
  const value = answer.header('retry-after')?.trim() ?? ''
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined
}

/**
 * The error of a response outside 2xx (specification §7, rule 1): JSON with a message, or plain text.
 * The service never answers a refusal with a page, so a page is the work of a proxy between.
 */
export function responseError(answer: ResponseText): ApiError {
  const httpCode = `http_${String(answer.status)}`
  const body = parsed(answer.text)
  const details = { retryAfter: retryAfterOf(answer) }
  const message = stringField(body, 'message')
  if (message !== undefined)
    return new ApiError(answer.status, stringField(body, 'code') ?? httpCode, message, details)
  const elsewhere = answer.status >= 300 && answer.status < 400 ? answer.header('location') : null
  if (elsewhere)
    return new ApiError(answer.status, httpCode, `the server is reached at ${elsewhere} now`, details)
  if (isPage(answer))
    return new ApiError(answer.status, httpCode, `the proxy answered ${statusLine(answer)}`, details)
  const text = answer.text.trim().slice(0, messageLength)
  return new ApiError(answer.status, httpCode, text || `the server answered ${statusLine(answer)}`, details)
}

/** Nothing came back: no connection, a name that does not resolve, a connection that was cut. */
export function networkError(cause?: unknown): ApiError {
  return new ApiError(0, 'network', 'the server could not be reached, or the connection was cut', { cause })
}

/** The JSON of a successful answer. @throws ApiError `invalid_answer` when it is none */
export function jsonOf(answer: ResponseText): unknown {
  const body = parsed(answer.text)
  if (body !== undefined) return body
  throw new ApiError(
    answer.status,
    'invalid_answer',
    'the response is not JSON; a proxy may have replaced it',
  )
}
