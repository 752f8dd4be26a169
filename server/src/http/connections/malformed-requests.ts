import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { headersTooBig, invalidRequest, requestTimeout, type ServiceError } from '../../domain/errors.ts'

/** How long a client gets to read a refusal before its connection is closed for good. Milliseconds. */
const lingerMs = 1_000

/**
 * Answers what never becomes a request (a broken request line, a length that is no number, a head that is too long or does
 * not come to its end), and closes the connection.
 * @param maxHeaderBytes what a head may have
 */
export function malformedRequests(maxHeaderBytes: number) {
  /** The answers that a connection waits for, in their order. */
  const pending = new WeakMap<Duplex, Set<ServerResponse>>()
  return {
    /** Remembers which answers a connection is waiting for. */
    watch(app: FastifyInstance): void {
      app.server.on('request', ({ socket }, response) => {
        const answers = pending.get(socket) ?? new Set()
        pending.set(socket, answers.add(response))
        response.once('close', () => answers.delete(response))
      })
    },

    handle(error: NodeJS.ErrnoException, socket: Duplex): void {
      const answers = [...(pending.get(socket) ?? [])].filter(({ destroyed }) => !destroyed)
      // A request that ends in garbage may have been answered by its own route, or be in the middle of that.
      const own = answers.find(({ req }) => !req.complete)
      const end = () => {
        if (own?.headersSent !== true) refuse(socket, refusalOf(error, maxHeaderBytes))
        else if (own.writableEnded) socket.end()
        else socket.destroy()
      }
      // Garbage after complete requests must not cost them their answers.
      const last = answers.findLast(({ req, writableFinished }) => req.complete && !writableFinished)
      if (last === undefined) end()
      else last.once('finish', end)
    },
  }
}

/** Of what Node says. A browser that opened a connection beforehand takes 408 for none of its answers, and asks again. */
function refusalOf({ code }: NodeJS.ErrnoException, maxHeaderBytes: number): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooBig(maxHeaderBytes)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout()
  return invalidRequest('the request is not valid HTTP')
}

function refuse(socket: Duplex, refused: ServiceError): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(answerOf(refused))
  // A client that does not close its side, either, would keep the connection.
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  timer.unref()
  socket.once('close', () => {
    clearTimeout(timer)
  })
}

/** Refuses a connection before anything was asked over it, and closes it whatever its other end does. */
export function refuseConnection(socket: Duplex, refused: ServiceError): void {
  socket.end(answerOf(refused), () => {
    socket.destroy()
  })
}

/** A refusal as a whole answer, for connections that no request of the router uses. */
function answerOf({ status, code, message, headers }: ServiceError): string {
  const body = JSON.stringify({ message, code })
  const head = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
