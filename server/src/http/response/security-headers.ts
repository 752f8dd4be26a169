import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { isSecure } from '../request/base-url.ts'

/** Browsers must not guess the content type of a response. */
export const everyResponse = { 'x-content-type-options': 'nosniff' } as const

/** Headers of documents: isolates their windows from other sites and denies access to devices. */
export const everyDocument = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': [
    'accelerometer',
    'browsing-topics',
    'camera',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'serial',
    'usb',
  ]
    .map((feature) => `${feature}=()`)
    .join(', '),
} as const

/** Sets the headers of all responses. */
export type ApplySecurityHeaders = (request: FastifyRequest, reply: FastifyReply) => void

/** @returns a function that sets `nosniff`, and HSTS over HTTPS (RFC 6797, `HSTSMaxAgeStr`) */
export function securityHeaders(service: Pick<Service, 'config' | 'isTrustedProxy'>): ApplySecurityHeaders {
  const { hstsMaxAge } = service.config
  const overHTTPS =
    hstsMaxAge === 0
      ? everyResponse
      : { ...everyResponse, 'strict-transport-security': `max-age=${String(hstsMaxAge)}` }
  return (request, reply) => {
    reply.headers(isSecure(service, request) ? overHTTPS : everyResponse)
  }
}

/** Sets the security headers of all responses of the router, including errors. */
export function setSecurityHeaders(app: FastifyInstance, secure: ApplySecurityHeaders): void {
  app.addHook('onRequest', (request, reply, done) => {
    secure(request, reply)
    done()
  })
}
