import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../core/service.ts'
import { invalidRequest, type ServiceError } from '../../domain/errors.ts'
import { forwardedHost } from './base-url.ts'

/** A host name, an IPv4 address or an IPv6 address in brackets, with an optional port (RFC 3986 §3.2.2 and §3.2.3). */
const hostForm = /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{0,5})?$/i

/** Whether a text is a host that can be part of a link. */
export const isHost = (text: string): boolean => hostForm.test(text) && URL.canParse(`http://${text}`)

/**
 * Refuses requests with no host, two hosts or a malformed one (RFC 9112 §3.2), before a link uses it. HTTP/1.0 needs no
 * host.
 */
export function checkHosts(app: FastifyInstance, service: Pick<Service, 'isTrustedProxy'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(hostError(request.raw) ?? forwardedHostError(forwardedHost(service, request)) ?? undefined)
  })
}

function hostError({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): ServiceError | null {
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
  // A URL in absolute form has replaced the header; both must be valid.
  const effective = headers.host ?? ''
  return isHost(sent) && (effective === sent || isHost(effective))
    ? null
    : invalidRequest('the header Host is malformed')
}

const forwardedHostError = (host: string): ServiceError | null =>
  host === '' || isHost(host) ? null : invalidRequest('the header X-Forwarded-Host is malformed')
