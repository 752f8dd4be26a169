import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { isSecure } from '../request/base-url.ts'

/** No answer is taken for anything but what it says it is. */
export const everyResponse = { 'x-content-type-options': 'nosniff' } as const

/** Of documents, which can have windows and devices: no other site's window reaches theirs, and no script a device. */
export const everyDocument = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': [
    'accelerometer',
    'bluetooth',
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

/** Gives an answer what all answers have. */
export type Secure = (request: FastifyRequest, reply: FastifyReply) => void

/** @returns adds `nosniff`, and over HTTPS that browsers come no other way again (RFC 6797, `HSTSMaxAgeStr`) */
export function securityHeaders(service: Pick<Service, 'config' | 'isTrustedProxy'>): Secure {
  const { hstsMaxAge } = service.config
  const overHTTPS =
    hstsMaxAge === 0
      ? everyResponse
      : { ...everyResponse, 'strict-transport-security': `max-age=${String(hstsMaxAge)}` }
  return (request, reply) => {
    reply.headers(isSecure(service, request) ? overHTTPS : everyResponse)
  }
}

/** Has all answers secured that the router gives, refusals among them. */
export function setSecurityHeaders(app: FastifyInstance, secure: Secure): void {
  app.addHook('onRequest', (request, reply, done) => {
    secure(request, reply)
    done()
  })
}
