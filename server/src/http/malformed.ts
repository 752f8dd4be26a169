import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { invalidRequest } from '../domain/errors.ts'

/** Answers what is no HTTP at all (a broken request line, a length that is no number), and closes the connection. */
export function malformedRequests() {
  const latest = new WeakMap<Socket, ServerResponse>()
  return {
    /** Remembers which answer a connection is waiting for. */
    watch(app: FastifyInstance): void {
      app.server.on('request', (request, response) => latest.set(request.socket, response))
    },

    handle(socket: Socket): void {
      const pending = latest.get(socket)
      // Garbage after a complete request must not cost that request its answer.
      const waits = pending?.req.complete === true && !pending.writableFinished && !pending.destroyed
      if (waits) pending.once('finish', () => refuse(socket))
      else refuse(socket)
    },
  }
}

function refuse(socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, code, message } = invalidRequest('the request is not valid HTTP')
  const body = JSON.stringify({ message, code })
  const head = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
