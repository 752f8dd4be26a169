import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { announcesBody, announcedLength } from './request-body.ts'

/** Requests with `Expect: 100-continue` whose sender has not been asked for the body yet. */
const held = new WeakMap<IncomingMessage, ServerResponse>()

/** The doors that a stream may come through: their handlers read the body when they want it. */
const waitingDoors = /\/(?:file|stream)\/[^/?]+\/[^/?]+\/[^?]/

/** A body of so many bytes is read whole while it waits, so that the connection tells of its end by itself. */
const smallBody = 16_384

/**
 * Lets a stream wait with little in memory. A client that asks before it sends its body (RFC 9110 §10.1.1) is told to go
 * on when somebody wants the file; at all other doors it is told so at once. Whoever sends without asking is not read
 * before.
 */
export function deferContinue({ server }: FastifyInstance): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isWaitingDoor(request)) held.set(request, response)
    else response.writeContinue()
    server.emit('request', request, response)
  })
  server.on('request', (request: IncomingMessage) => {
    // What comes stays in the network until the request is read: that resumes its connection.
    if (isWaitingDoor(request) && !held.has(request) && !isSmall(request)) request.socket.pause()
  })
}

const isWaitingDoor = ({ method, url = '' }: IncomingMessage) => method === 'POST' && waitingDoors.test(url)

const isSmall = (request: IncomingMessage) =>
  !announcesBody(request) || (announcedLength(request) > 0 && announcedLength(request) <= smallBody)

/** Tells a client that waits for it to send the body. */
export function askForBody(request: IncomingMessage): void {
  held.get(request)?.writeContinue()
  held.delete(request)
}

/** Whether the client has not been asked for the body, so that nothing of it is in flight. */
export const isHeld = (request: IncomingMessage): boolean => held.has(request)
