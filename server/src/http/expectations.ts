import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Requests with `Expect: 100-continue` whose sender has not been asked for the body yet. */
const held = new WeakMap<IncomingMessage, ServerResponse>()

/** The doors that a stream may come through: their handlers ask for the body when they want it. */
const waitingDoors = /\/(?:file|stream)\/[^/?]+\/[^/?]+\/[^?]/

/**
 * Lets a stream wait with nothing in flight: a client that asks before it sends its body (RFC 9110 §10.1.1) is told to
 * go on when somebody wants the file. At all other doors it is told so at once.
 */
export function holdExpectations({ server }: FastifyInstance): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST' && waitingDoors.test(request.url ?? '')) held.set(request, response)
    else response.writeContinue()
    server.emit('request', request, response)
  })
}

/** Tells a client that waits for it to send the body. */
export function askForBody(request: IncomingMessage): void {
  held.get(request)?.writeContinue()
  held.delete(request)
}

/** Whether the client has not been asked for the body, so that nothing of it is in flight. */
export const isHeld = (request: IncomingMessage): boolean => held.has(request)
