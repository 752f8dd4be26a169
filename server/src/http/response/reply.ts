import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'

/** Sends a plain text response. */
export const sendText = (reply: FastifyReply, body: string): FastifyReply =>
  reply.type('text/plain; charset=utf-8').send(body)

/** The headers of a reply so far, for a response that bypasses the framework. */
export const headersSoFar = (reply: FastifyReply): OutgoingHttpHeaders =>
  // The framework's type allows numbers where Node's has only texts.
  reply.getHeaders() as OutgoingHttpHeaders
