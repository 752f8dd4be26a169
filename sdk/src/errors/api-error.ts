import { parseJson } from '@svc/contract'

/** A response with its body as text. fetch and XMLHttpRequest both produce it. */
export interface ResponseText {
  readonly status: number
  readonly statusText: string
  readonly text: string
  /** A header of the response; null when absent. */
  readonly header: (name: string) => string | null
}

export interface ApiErrorDetails {
  readonly cause?: unknown
  readonly retryAfter?: number | undefined
}

/**
 * A request that was refused or did not reach the server. `code` is stable: the server's code, `http_STATUS` for a response
 * of a proxy, `network` without a response, `invalid_response` for a successful response that is not readable. `status` is 0
 * without a response. `retryAfter` is the number of seconds after which the server accepts requests again, if it says so.
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

/** Reason phrases of the statuses that proxies send; HTTP/2 carries none. */
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

function statusLine(response: ResponseText): string {
  return `${String(response.status)} ${response.statusText || (reasons[response.status] ?? '')}`.trimEnd()
}

function stringField(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const field: unknown = Reflect.get(value, name)
  return typeof field === 'string' && field !== '' ? field : undefined
}

function isPage(response: ResponseText): boolean {
  return (
    response.header('content-type')?.includes('html') === true || response.text.trimStart().startsWith('<')
  )
}

/** Seconds of a `Retry-After` header (RFC 9110 §10.2.3); a date is ignored. */
function retryAfterOf(response: ResponseText): number | undefined {
  const value = response.header('retry-after')?.trim() ?? ''
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined
}

/**
 * The error of a response outside 2xx (docs/protocol.md#errors): JSON with a message, or plain text. The service never
 * sends an error as a page, so a page comes from a proxy.
 */
export function responseError(response: ResponseText): ApiError {
  const httpCode = `http_${String(response.status)}`
  const body = parseJson(response.text)
  const details = { retryAfter: retryAfterOf(response) }
  const message = stringField(body, 'message')
  if (message !== undefined)
    return new ApiError(response.status, stringField(body, 'code') ?? httpCode, message, details)
  const elsewhere = response.status >= 300 && response.status < 400 ? response.header('location') : null
  if (elsewhere)
    return new ApiError(response.status, httpCode, `the server is reached at ${elsewhere} now`, details)
  if (isPage(response))
    return new ApiError(
      response.status,
      httpCode,
      `the server or a proxy responded with ${statusLine(response)}`,
      details,
    )
  const text = response.text.trim().slice(0, messageLength)
  return new ApiError(
    response.status,
    httpCode,
    text || `the server responded with ${statusLine(response)}`,
    details,
  )
}

/** No response: no connection, a name that does not resolve, or a broken connection. */
export function networkError(cause?: unknown): ApiError {
  return new ApiError(0, 'network', 'the server could not be reached, or the connection was cut', { cause })
}

/**
 * The JSON of a successful response.
 * @throws ApiError `invalid_response` when it is not JSON
 */
export function jsonOf(response: ResponseText): unknown {
  const body = parseJson(response.text)
  if (body !== undefined) return body
  throw new ApiError(
    response.status,
    'invalid_response',
    'the response is not JSON; a proxy may have replaced it',
  )
}
