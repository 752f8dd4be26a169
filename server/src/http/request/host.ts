import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../core/service.ts'
import { invalidRequest, type ServiceError } from '../../domain/errors.ts'
import { forwardedHost } from './base-url.ts'

/** A host name, an IPv4 address, or an IPv6 address in brackets, and a port (RFC 3986 §3.2.2 and §3.2.3). */
const shape = /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{0,5})?$/i

/** Whether a text is a host that can stand in a link. */
export const isHost = (text: string): boolean => shape.test(text) && URL.canParse(`http://${text}`)

/**
 * Refuses every request that names no host, two of them or a malformed one (RFC 9112 §3.2), before anything makes a link of
 * it. Requests of HTTP/1.0 may go without.
 */
export function checkHosts(app: FastifyInstance, service: Pick<Service, 'isTrustedProxy'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(faultIn(request.raw) ?? faultInForwarded(forwardedHost(service, request)) ?? undefined)
  })
}

function faultIn({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): ServiceError | null {
  let sent: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue
    if (sent !== undefined) return invalidRequest('send the header Host once')
    sent = rawHeaders[at + 1] ?? ''
  }
  if (sent === undefined)
    return httpVersionMinor === 0 && headers.host === undefined
      ? null
      : invalidRequest('send the header Host')
  // An address in absolute form has replaced the header; it says nothing better than the header must.
  const named = headers.host ?? ''
  return isHost(sent) && (named === sent || isHost(named))
    ? null
    : invalidRequest('the header Host is malformed')
}

const faultInForwarded = (host: string): ServiceError | null =>
  host === '' || isHost(host) ? null : invalidRequest('the header X-Forwarded-Host is malformed')
