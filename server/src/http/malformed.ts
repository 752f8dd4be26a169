import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { invalidRequest } from '../domain/errors.ts'

/** Answers what is no HTTP at all (a broken request line, a length that is no number), and closes the connection. */
export function malformedRequests() {
  /** The answers that a connection waits for, in their order. */
  const pending = new WeakMap<Socket, Set<ServerResponse>>()
  return {
    /** Remembers which answers a connection is waiting for. */
    watch(app: FastifyInstance): void {
      app.server.on('request', ({ socket }, response) => {
        const answers = pending.get(socket) ?? new Set()
        pending.set(socket, answers.add(response))
        response.once('close', () => answers.delete(response))
      })
    },

    handle(socket: Socket): void {
      const answers = [...(pending.get(socket) ?? [])].filter(({ destroyed }) => !destroyed)
      // A request that ends in garbage may have been answered by its own route, or be in the middle of that.
      const own = answers.find(({ req }) => !req.complete)
      const end = () => {
        if (own?.headersSent !== true) refuse(socket)
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
