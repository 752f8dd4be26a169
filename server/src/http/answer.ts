import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { headers as names, webClient } from '@svc/contract'
import type { Logger } from 'pino'
import * as refusal from '../domain/errors.ts'
import { announcesBody } from './request-body.ts'

/** How an error goes out: JSON, but plain text where the answer itself is meant for a terminal. */
export type ErrorFormat = 'json' | 'text'

/** How long a client that still sends gets to notice the answer, in milliseconds. */
const lingerMs = 10_000

/** What became of a request that failed, as a refusal that may be told. */
export function refusalOf(error: unknown): refusal.ServiceError {
  if (error instanceof refusal.ServiceError) return error
  return fromFramework(error as Partial<FastifyError>) ?? refusal.internalError(error)
}

/** Refusals by Fastify itself, in our words and codes. */
function fromFramework(error: Partial<FastifyError>): refusal.ServiceError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refusal.bodyTooBig()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusal.unsupportedMediaType('application/json')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refusal.uploadAborted(error)
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return refusal.invalidJson(error)
    case 'FST_ERR_VALIDATION':
      return refusal.invalidRequest(error.message ?? 'the request is not valid', error)
    case undefined:
      return error instanceof SyntaxError ? refusal.invalidJson(error) : null
    default:
      return (error.statusCode ?? 500) < 500 ? refusal.invalidRequest(error.message ?? '', error) : null
  }
}

/** Answers a failed request, once, and logs what nobody expected. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, format }: { readonly log: Logger; readonly format: ErrorFormat },
): void {
  const refused = refusalOf(error)
  if (refused.status >= 500) logFailure(refused, request, log)
  const body =
    format === 'text'
      ? `${refused.message}\n`
      : JSON.stringify({ message: refused.message, code: refused.code })
  const type = format === 'text' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  const headers = { ...headersOf(refused, request), 'content-type': type, 'cache-control': 'no-store' }
  if (request.raw.complete || !announcesBody(request.raw)) {
    void reply.code(refused.status).headers(headers).send(body)
    return
  }
  reply.hijack()
  answerEarly(request, reply.raw, {
    status: refused.status,
    headers: { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers },
    body,
  })
}

/** A browser would cover our own page's form with a window of its own. */
function headersOf(
  { headers }: refusal.ServiceError,
  request: FastifyRequest,
): Readonly<Record<string, string>> {
  if (request.headers[names.clientApp] !== webClient) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'www-authenticate'))
}

function logFailure(refused: refusal.ServiceError, request: FastifyRequest, log: Logger): void {
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
  const timer = setTimeout(end, lingerMs)
  timer.unref()
  request.raw.once('end', end).once('close', end).resume()
}

/** Plain text as a final answer. */
export const text = (reply: FastifyReply, body: string): FastifyReply =>
  reply.type('text/plain; charset=utf-8').send(body)
