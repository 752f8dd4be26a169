import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { requestTimeout } from '../../domain/errors.ts'
import { announcesBody, tooSlow } from '../request/request-body.ts'
import { isUpload } from './watch-requests.ts'

/** Between two looks at the bodies that are coming. Milliseconds, as the others here. */
const lookMs = 1_000

/** A body that is no file must be whole after this time. */
const wholeMs = 30_000

/** What a file's body brings is judged over this time. */
const windowMs = 60_000

/** After this a connection is closed whose request was given up and did not end. */
const graceMs = 15_000

interface Body {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly isFile: boolean
  /** When the time began in which the body is judged. */
  since: number
  /** Bytes that the connection had brought then. */
  bytes: number
  /** When the body was found too slow. */
  givenUp: number | null
}

/** Requests whose bodies need not come now. */
const excused = new WeakSet<IncomingMessage>()

/** Lets a request wait with its body. @returns ends that */
export function exempt(request: IncomingMessage): () => void {
  excused.add(request)
  return () => excused.delete(request)
}

/**
 * Gives up requests whose bodies do not come: each holds a connection, and a client has them for nothing. A file must bring
 * `MinUploadSpeedStr` as the mean of a minute, as long as it is read: what is stored slowly here is not the client's fault.
 * Heads are Node's own to watch.
 */
export function endSlowBodies(
  app: FastifyInstance,
  { clock, config }: Pick<Service, 'clock' | 'config'>,
): void {
  const leastBytes = (config.minUploadSpeed * windowMs) / 1000
  // One for each connection: a request begins when the body of the one before is whole.
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
    bodies.set(socket, { request: raw, response, isFile, since: clock.now(), bytes, givenUp: null })
  }

  const look = (socket: Socket, body: Body) => {
    const { request, response, isFile, since, bytes, givenUp } = body
    if (request.complete) return
    const now = clock.now()
    if (givenUp !== null) {
      if (now - givenUp >= graceMs) socket.destroy()
      return
    }
    if (isFile && !response.writableEnded && (leastBytes === 0 || isWaiting(request))) {
      begin(socket, body, now)
      return
    }
    if (now - since < (isFile ? windowMs : wholeMs)) return
    if (isFile && socket.bytesRead - bytes >= leastBytes) {
      begin(socket, body, now)
      return
    }
    body.givenUp = now
    giveUp(request)
  }
  const stop = clock.every(lookMs, () => {
    for (const [socket, body] of bodies) look(socket, body)
  })
  app.addHook('onClose', (_app, done) => {
    stop()
    done()
  })
}

function begin(socket: Socket, body: Body, now: number): void {
  body.since = now
  body.bytes = socket.bytesRead
}

/** Whether what has come is not read, or nobody wants it yet. */
const isWaiting = (request: IncomingMessage): boolean =>
  excused.has(request) || request.readableFlowing !== true || request.readableLength > 0

/** Tells whoever reads the body. Where nobody does, the connection is closed later. */
function giveUp(request: IncomingMessage): void {
  if (request.emit(tooSlow)) return
  // The framework reads JSON, and knows of errors alone.
  if (request.listenerCount('error') > 0) request.emit('error', requestTimeout())
}
