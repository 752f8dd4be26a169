import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../../domain/access/addresses.ts'
import { downloadURL } from '../../domain/download-url.ts'
import type { Service } from '../../core/service.ts'

/** The origin that the client used, without the path prefix. `checkHosts` has validated the host. */
export function reachedOrigin(
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): string {
  const host = [forwardedHost(service, request), request.headers.host].find((name) => name) ?? 'localhost'
  return `${isSecure(service, request) ? 'https' : 'http'}://${host}`
}

/** The host that a trusted proxy forwards; empty without one. */
export function forwardedHost(service: Pick<Service, 'isTrustedProxy'>, request: FastifyRequest): string {
  const forwarded = request.headers['x-forwarded-host']
  return forwarded !== undefined && isViaProxy(service, request) ? lastValue(forwarded) : ''
}

/** Whether the client uses HTTPS, according to the configuration and trusted proxies. */
export function isSecure(
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): boolean {
  const { assumeHTTPS } = service.config
  const forwarded = request.headers['x-forwarded-proto']
  if (forwarded === undefined || !isViaProxy(service, request)) return assumeHTTPS
  const protocol = lastValue(forwarded).toLowerCase()
  return protocol === '' ? assumeHTTPS : protocol === 'https'
}

const isViaProxy = ({ isTrustedProxy }: Pick<Service, 'isTrustedProxy'>, request: FastifyRequest): boolean =>
  isTrustedProxy(plainAddress(request.raw.socket.remoteAddress ?? ''))

/** Base of links in responses: the configured domain, else the origin that the client used. */
export const linkBase = (
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): string => downloadURL(service.config) ?? reachedOrigin(service, request) + service.config.path

/** URL of the web application, with a trailing slash. */
export const applicationBase = (
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): string => {
  const { svcDomain, path } = service.config
  return `${svcDomain === '' ? reachedOrigin(service, request) : svcDomain}${path}/`
}

/** The value that the nearest proxy appended; empty if it appended none. */
function lastValue(value: string | string[]): string {
  const list = Array.isArray(value) ? value.join(',') : value
  return list.slice(list.lastIndexOf(',') + 1).trim()
}
