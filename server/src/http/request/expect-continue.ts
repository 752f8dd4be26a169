import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { announcesBody, announcedLength } from './request-body.ts'

/** Requests with `Expect: 100-continue` whose body has not been requested yet. */
const withheld = new WeakMap<IncomingMessage, ServerResponse>()

/** Paths that can receive a stream: their handlers read the body when the recipient is there. */
const streamPaths = /\/(?:file|stream)\/[^/?]+\/[^/?]+\/[^?]/

/** A body up to this size is read completely while it waits, so that Node detects the end of the connection. */
const smallBodyBytes = 16_384

/**
 * Lets a stream wait with little memory. A client with `Expect: 100-continue` (RFC 9110 §10.1.1) gets the status 100
 * when a recipient wants the file, on other paths at once. Bodies of other clients are not read before.
 */
export function deferContinue({ server }: FastifyInstance): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isStreamRequest(request)) withheld.set(request, response)
    else response.writeContinue()
    server.emit('request', request, response)
  })
  // An unknown expectation may be ignored (RFC 9110 §10.1.1). Node's own response to it would lack our headers.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  server.on('request', (request: IncomingMessage) => {
    // The bytes wait in the network until the request is read, which resumes its connection.
    if (isStreamRequest(request) && !withheld.has(request) && !isSmall(request)) request.socket.pause()
  })
}

const isStreamRequest = ({ method, url = '' }: IncomingMessage) => method === 'POST' && streamPaths.test(url)

const isSmall = (request: IncomingMessage) =>
  !announcesBody(request) || (announcedLength(request) > 0 && announcedLength(request) <= smallBodyBytes)

/** Asks a client with a withheld body to send it. */
export function requestBody(request: IncomingMessage): void {
  withheld.get(request)?.writeContinue()
  withheld.delete(request)
}

/** Whether the body has not been requested, so that no bytes of it are in flight. */
export const isWithheld = (request: IncomingMessage): boolean => withheld.has(request)
