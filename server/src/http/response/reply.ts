import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'

/**
 * A plain text response, for a handler to return. It does not return the reply, which is a promise: waiting for it adds a
 * dozen listeners to the response.
 */
export function plainText(reply: FastifyReply, body: string): string {
  void reply.type('text/plain; charset=utf-8')
  return body
}

/** The headers of a reply so far, for a response that bypasses the framework. */
export const headersSoFar = (reply: FastifyReply): OutgoingHttpHeaders =>
  // The framework's type allows numbers where Node's has only texts.
  reply.getHeaders() as OutgoingHttpHeaders
