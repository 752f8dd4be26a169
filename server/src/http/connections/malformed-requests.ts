import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import {
  headersTooBig,
  invalidRequest,
  methodNotAllowed,
  requestTimeout,
  type ServiceError,
} from '../../domain/errors.ts'
import type { SerializedRequests } from './serialize-requests.ts'

/** Time for a client to read the error response before its connection is destroyed. Milliseconds. */
const lingerMs = 1_000

/**
 * Responds to malformed requests (an invalid request line or length, a head that is too long or incomplete), and closes
 * the connection.
 * @param maxHeaderBytes maximum size of a head
 */
export function malformedRequests(
  maxHeaderBytes: number,
  { responseOf }: Pick<SerializedRequests, 'responseOf'>,
) {
  return {
    /** Refuses tunnels: this server is not a proxy. Without a listener, Node closes the connection of this method. */
    watch({ server }: Pick<FastifyInstance, 'server'>): void {
      server.on('connect', (_request, socket) => {
        endAndClose(socket, formatResponse(methodNotAllowed('')))
      })
    },

    handle(error: NodeJS.ErrnoException, socket: Duplex): void {
      const response = responseOf(socket)
      if (response === undefined || response.destroyed) {
        endAndClose(socket, formatResponse(parserError(error, maxHeaderBytes)))
        return
      }
      const { req: request } = response
      const end = () => {
        // The route of a request that ends malformed may have sent its response, or may be sending it.
        if (request.complete || !response.headersSent)
          endAndClose(socket, formatResponse(parserError(error, maxHeaderBytes)))
        else if (response.writableEnded) socket.end()
        // The response to a request whose body is discarded may be complete, but not sent yet.
        else endAndClose(socket)
      }
      // Malformed bytes after a complete request must not cut its response.
      if (request.complete && !response.writableFinished) response.once('finish', end)
      else end()
    },
  }
}

/** The error for a code of Node. A browser with a preconnected connection ignores 408 and retries. */
function parserError({ code }: NodeJS.ErrnoException, maxHeaderBytes: number): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooBig(maxHeaderBytes)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout()
  return invalidRequest('the request is not valid HTTP')
}

/** Sends what is written and some last bytes, and closes the connection. */
function endAndClose(socket: Duplex, last = ''): void {
  // Node has removed its own listener from a connection with CONNECT, and an error without one ends the process.
  socket.on('error', () => socket.destroy())
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(last)
  // A client that does not close its side would keep the connection open.
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  timer.unref()
  socket.once('close', () => {
    clearTimeout(timer)
  })
}

/** Refuses a connection before its first request and destroys it. */
export function refuseConnection(socket: Duplex, error: ServiceError): void {
  socket.end(formatResponse(error), () => {
    socket.destroy()
  })
}

/** An error as a raw HTTP response, for connections without a request in the router. */
function formatResponse({ status, code, message, headers }: ServiceError): string {
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
