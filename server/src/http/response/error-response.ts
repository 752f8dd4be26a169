import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { headers as names, webClient, type ErrorFormat } from '@svc/contract'
import { routeTemplate } from '../request/route-template.ts'
import type { Service } from '../../core/service.ts'
import { BrokenStreamError } from '../../data/backend/streams.ts'
import * as errors from '../../domain/errors.ts'
import { problemDetails } from './problem-details.ts'
import { headersSoFar } from './reply.ts'
import { announcesBody } from '../request/request-body.ts'

/** Time for a client that still sends to read the response. Milliseconds. */
const lingerMs = 10_000

/** Time for a client that sends too slowly. Milliseconds. */
const slowLingerMs = 1_000

/** Where failures of the server are logged. */
export type Reporting = Pick<Service, 'log' | 'spaceRefusals'>

/** Converts any error to an error that can be sent to the client. */
export function toServiceError(error: unknown): errors.ServiceError {
  if (error instanceof errors.ServiceError) return error
  return fromFramework(error as Partial<FastifyError>) ?? errors.internalError(error)
}

/** Converts errors of Fastify. */
function fromFramework(error: Partial<FastifyError>): errors.ServiceError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return errors.bodyTooBig()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return errors.unsupportedMediaType('application/json')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return errors.uploadAborted(error)
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return errors.invalidJson(error)
    case 'FST_STATIC_FORBIDDEN_PATH':
      return errors.malformedAddress(error)
    case 'FST_ERR_VALIDATION':
      return errors.invalidRequest(error.message ?? 'the request is not valid', error)
    case undefined:
      return fromLibrary(error)
    default:
      return (error.statusCode ?? 500) < 500 ? errors.invalidRequest(error.message ?? '', error) : null
  }
}

/** Converts errors of libraries that have a status and no code, such as those of static files. */
function fromLibrary({ statusCode = 500, message = '', ...error }: Partial<FastifyError>) {
  if (statusCode >= 500) return null
  return statusCode === 416 ? errors.rangeNotSatisfiable() : errors.invalidRequest(message, error)
}

/** The content of an error response. */
export interface FormattedError {
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends an error response and logs unexpected errors.
 * @param options.format a format, or a function that writes the content
 */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    service,
    format,
  }: {
    readonly service: Reporting
    readonly format: ErrorFormat | ((error: errors.ServiceError) => FormattedError)
  },
): void {
  const serviceError = toServiceError(error)
  logFailure(serviceError, request, service)
  const formatted =
    typeof format === 'function' ? format(serviceError) : formatError(serviceError, request, format)
  const { type, body } = formatted
  const headers = {
    ...formatted.headers,
    ...headersOf(serviceError, request),
    'content-type': type,
    'cache-control': 'no-store',
  }
  if (request.raw.complete || !announcesBody(request.raw)) {
    void reply.code(serviceError.status).headers(headers).send(body)
    return
  }
  reply.hijack()
  sendEarly(request, reply.raw, {
    status: serviceError.status,
    headers: { ...headersSoFar(reply), ...headers },
    body,
    lingerMs: serviceError.code === 'request_timeout' ? slowLingerMs : lingerMs,
  })
}

function formatError(
  serviceError: errors.ServiceError,
  request: FastifyRequest,
  format: ErrorFormat,
): FormattedError {
  const { message, code } = serviceError
  switch (format) {
    case 'text':
      return { type: 'text/plain; charset=utf-8', body: `${message}\n` }
    case 'problem':
      return { type: 'application/problem+json', body: JSON.stringify(problemDetails(serviceError, request)) }
    case 'json':
      return { type: 'application/json; charset=utf-8', body: JSON.stringify({ message, code }) }
  }
}

/** The web application has a password form; the header would open the browser's dialog over it. */
function headersOf(
  { headers }: errors.ServiceError,
  request: FastifyRequest,
): Readonly<Record<string, string>> {
  if (request.headers[names.clientApp] !== webClient) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'www-authenticate'))
}

/**
 * Whether an operator should see the error. The peer of a stream that disconnects or never connects, and temporary
 * states such as a shutdown, are not failures of the server.
 */
function isServerFailure({ code, cause }: errors.ServiceError): boolean {
  if (code === 'unavailable') return cause !== undefined
  if (code === 'stream_broken') return cause !== undefined && !isPeerFailure(cause)
  return code === 'internal_error'
}
const isPeerFailure = (cause: unknown) =>
  cause instanceof BrokenStreamError || cause instanceof errors.ServiceError

/** Logs failures of the server only. */
export function logFailure(
  serviceError: errors.ServiceError,
  request: FastifyRequest,
  { log, spaceRefusals }: Reporting,
): void {
  const context = { method: request.method, route: routeTemplate(request) }
  if (spaceRefusals.report(serviceError, context) || !isServerFailure(serviceError)) return
  const cause = serviceError.cause ?? serviceError
  log.error({ err: cause, ...context, code: serviceError.code }, 'request failed')
}

/**
 * Responds to a request whose body is still being received. Closing at once would reset the connection, and the client
 * would not read the reason. So the complete response is sent, and the rest of the body is discarded for a while.
 */
function sendEarly(
  request: FastifyRequest,
  response: ServerResponse,
  content: {
    readonly status: number
    readonly headers: OutgoingHttpHeaders
    readonly body: string
    readonly lingerMs: number
  },
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  response.writeHead(content.status, STATUS_CODES[content.status], {
    ...content.headers,
    'content-length': Buffer.byteLength(content.body),
    connection: 'close',
  })
  response.write(content.body)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, content.lingerMs)
  timer.unref()
  request.raw.once('end', end).once('close', end).resume()
}
