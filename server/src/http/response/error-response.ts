import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { headers as names, webClient } from '@svc/contract'
import type { Logger } from 'pino'
import { BrokenStreamError } from '../../data/backend/streams.ts'
import * as errors from '../../domain/errors.ts'
import { problemDetails } from './problem-details.ts'
import { announcesBody } from '../request/request-body.ts'

/**
 * How an error goes out: JSON, but plain text where the answer itself is meant for a terminal, and problem details
 * (RFC 9457) where a protocol names them.
 */
export type ErrorFormat = 'json' | 'text' | 'problem'

/** How long a client that still sends gets to notice the answer, in milliseconds. */
const lingerMs = 10_000

/** The same for one that hardly sends. */
const slowLingerMs = 1_000

/** What became of a request that failed, as a refusal that may be told. */
export function toServiceError(error: unknown): errors.ServiceError {
  if (error instanceof errors.ServiceError) return error
  return fromFramework(error as Partial<FastifyError>) ?? errors.internalError(error)
}

/** Refusals by Fastify itself, in our words and codes. */
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
      return null
    default:
      return (error.statusCode ?? 500) < 500 ? errors.invalidRequest(error.message ?? '', error) : null
  }
}

/** Answers a failed request, once, and logs what nobody expected. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, format }: { readonly log: Logger; readonly format: ErrorFormat },
): void {
  const refused = toServiceError(error)
  logFailure(refused, request, log)
  const { type, body } = written(refused, request, format)
  const headers = { ...headersOf(refused, request), 'content-type': type, 'cache-control': 'no-store' }
  if (request.raw.complete || !announcesBody(request.raw)) {
    void reply.code(refused.status).headers(headers).send(body)
    return
  }
  reply.hijack()
  answerEarly(request, reply.raw, {
    status: refused.status,
    headers: { ...headersSoFar(reply), ...headers },
    body,
    lingerMs: refused.code === 'request_timeout' ? slowLingerMs : lingerMs,
  })
}

function written(
  refused: errors.ServiceError,
  request: FastifyRequest,
  format: ErrorFormat,
): { readonly type: string; readonly body: string } {
  const { message, code } = refused
  switch (format) {
    case 'text':
      return { type: 'text/plain; charset=utf-8', body: `${message}\n` }
    case 'problem':
      return { type: 'application/problem+json', body: JSON.stringify(problemDetails(refused, request)) }
    case 'json':
      return { type: 'application/json; charset=utf-8', body: JSON.stringify({ message, code }) }
  }
}

/** A browser would cover our own page's form with a window of its own. */
function headersOf(
  { headers }: errors.ServiceError,
  request: FastifyRequest,
): Readonly<Record<string, string>> {
  if (request.headers[names.clientApp] !== webClient) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'www-authenticate'))
}

/**
 * Whether somebody has to look after the server: not where the other side of a stream went away or never came, nor at
 * what passes by itself, such as the end of the server.
 */
function isFailureHere({ code, cause }: errors.ServiceError): boolean {
  if (code === 'unavailable') return cause !== undefined
  if (code === 'stream_broken') return cause !== undefined && !isOfOtherSide(cause)
  return code === 'internal_error' || code === 'no_space' || code === 'database_full'
}
const isOfOtherSide = (cause: unknown) =>
  cause instanceof BrokenStreamError || cause instanceof errors.ServiceError

/** Logs what the server has to answer for, and nothing else. */
export function logFailure(refused: errors.ServiceError, request: FastifyRequest, log: Logger): void {
  if (!isFailureHere(refused)) return
  const cause = refused.cause ?? refused
  const context = { err: cause, method: request.method, route: request.routeOptions.url, code: refused.code }
  log.error(context, 'a request failed')
}

/**
 * Answers a request whose body is still coming. Closing at once would reset the connection, and the client
 * would never read why: so the answer goes out whole, and the rest of the body is read and dropped for a while.
 */
function answerEarly(
  request: FastifyRequest,
  response: ServerResponse,
  answer: {
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
  response.writeHead(answer.status, STATUS_CODES[answer.status], {
    ...answer.headers,
    'content-length': Buffer.byteLength(answer.body),
    connection: 'close',
  })
  response.write(answer.body)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, answer.lingerMs)
  timer.unref()
  request.raw.once('end', end).once('close', end).resume()
}

/** What a reply has been given so far, for an answer that is written past the framework. */
export const headersSoFar = (reply: FastifyReply): OutgoingHttpHeaders =>
  // Of the framework's type, which lets numbers stand where only texts do.
  reply.getHeaders() as OutgoingHttpHeaders

/** Plain text as a final answer. */
export const text = (reply: FastifyReply, body: string): FastifyReply =>
  reply.type('text/plain; charset=utf-8').send(body)
