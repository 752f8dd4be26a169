import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { requestTimeout } from '../../domain/errors.ts'
import { announcesBody, tooSlow } from '../request/request-body.ts'
import { isUpload } from '../request/route-template.ts'

/** Interval of the check. */
const checkIntervalMs = 1_000

/** Time in which a body without a file must be complete. */
const bodyTimeoutMs = 30_000

/** Period over which the speed of a file is measured. */
const periodMs = 60_000

/** Time until the connection of an aborted request is destroyed, from its response on if one comes. */
const graceMs = 15_000

interface Body {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly isFile: boolean
  /** Start of the measured period. */
  since: number
  /** Bytes that the connection had received at that time. */
  bytes: number
  /** When the body was aborted as too slow. */
  abortedAt: number | null
  /** Whether a reader was notified then, who responds when the data store has what was received. */
  isResponding: boolean
}

/** Requests without a timeout for their bodies. */
const exempted = new WeakSet<IncomingMessage>()

/**
 * Exempts a request from the timeout.
 * @returns a function that ends the exemption
 */
export function exempt(request: IncomingMessage): () => void {
  exempted.add(request)
  return () => exempted.delete(request)
}

/**
 * Aborts requests with slow bodies: they hold connections at no cost for the client. A file must reach
 * `MinUploadSpeedStr` averaged over a minute while it is read; a slow data store does not count against the client.
 * Node checks the heads.
 */
export function endSlowBodies(
  app: FastifyInstance,
  { clock, config }: Pick<Service, 'clock' | 'config'>,
): void {
  const minBytes = (config.minUploadSpeed * periodMs) / 1000
  // One for each connection: a request starts when the body of the previous one is complete.
  const bodies = new Map<Socket, Body>()

  app.addHook('onRequest', (request, { raw: response }, done) => {
    if (announcesBody(request.raw)) add(request, response)
    done()
  })
  const add = (request: FastifyRequest, response: ServerResponse) => {
    const { raw } = request
    const { socket } = raw
    if (!bodies.has(socket)) socket.once('close', () => bodies.delete(socket))
    const isFile = isUpload(request)
    const bytes = socket.bytesRead
    bodies.set(socket, {
      request: raw,
      response,
      isFile,
      since: clock.now(),
      bytes,
      abortedAt: null,
      isResponding: false,
    })
  }

  const check = (socket: Socket, body: Body) => {
    const { request, response, isFile, since, bytes, abortedAt, isResponding } = body
    if (request.complete) return
    const now = clock.now()
    if (abortedAt !== null) {
      if (isResponding && !response.writableEnded) body.abortedAt = now
      else if (now - abortedAt >= graceMs) socket.destroy()
      return
    }
    if (isFile && !response.writableEnded && (minBytes === 0 || isWaiting(request))) {
      startPeriod(socket, body, now)
      return
    }
    if (now - since < (isFile ? periodMs : bodyTimeoutMs)) return
    if (isFile && socket.bytesRead - bytes >= minBytes) {
      startPeriod(socket, body, now)
      return
    }
    body.abortedAt = now
    body.isResponding = abort(request)
  }
  const stop = clock.every(checkIntervalMs, () => {
    for (const [socket, body] of bodies) check(socket, body)
  })
  app.addHook('onClose', (_app, done) => {
    stop()
    done()
  })
}

function startPeriod(socket: Socket, body: Body, now: number): void {
  body.since = now
  body.bytes = socket.bytesRead
}

/** Whether the received bytes have not been read, or the body is not wanted yet. */
const isWaiting = (request: IncomingMessage): boolean =>
  exempted.has(request) || request.readableFlowing !== true || request.readableLength > 0

/**
 * Notifies the reader of the body.
 * @returns whether there is one: without, the connection is destroyed later
 */
function abort(request: IncomingMessage): boolean {
  // The framework, which reads JSON, only listens to errors.
  return (
    request.emit(tooSlow) || (request.listenerCount('error') > 0 && request.emit('error', requestTimeout()))
  )
}
