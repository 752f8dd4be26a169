import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../../domain/access/addresses.ts'
import { downloadURL } from '../../domain/download-url.ts'
import type { Service } from '../../core/service.ts'

/**
 * The address under which the client reached the service, without the path prefix. Hosts are checked before (`checkHosts`).
 */
export function reachedOrigin(
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): string {
  const host = [forwardedHost(service, request), request.headers.host].find((name) => name) ?? 'localhost'
  return `${isSecure(service, request) ? 'https' : 'http'}://${host}`
}

/** The host that a trusted proxy was asked for; empty where none says so. */
export function forwardedHost(service: Pick<Service, 'isTrustedProxy'>, request: FastifyRequest): string {
  const forwarded = request.headers['x-forwarded-host']
  return forwarded !== undefined && isViaProxy(service, request) ? last(forwarded) : ''
}

/** Whether the client came over HTTPS, as far as the configuration and trusted proxies tell. */
export function isSecure(
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): boolean {
  const { assumeHTTPS } = service.config
  const forwarded = request.headers['x-forwarded-proto']
  if (forwarded === undefined || !isViaProxy(service, request)) return assumeHTTPS
  const protocol = last(forwarded).toLowerCase()
  return protocol === '' ? assumeHTTPS : protocol === 'https'
}

const isViaProxy = ({ isTrustedProxy }: Pick<Service, 'isTrustedProxy'>, request: FastifyRequest): boolean =>
  isTrustedProxy(plainAddress(request.raw.socket.remoteAddress ?? ''))

/** Base of links in answers: the configured domain, else the address that the client used. */
export const linkBase = (
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): string => downloadURL(service.config) ?? reachedOrigin(service, request) + service.config.path

/** Address of the web application, with a slash at its end. */
export const applicationBase = (
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): string => {
  const { svcDomain, path } = service.config
  return `${svcDomain === '' ? reachedOrigin(service, request) : svcDomain}${path}/`
}

/** What the nearest proxy has added; empty when it has added nothing. */
function last(value: string | string[]): string {
  const list = Array.isArray(value) ? value.join(',') : value
  return list.slice(list.lastIndexOf(',') + 1).trim()
}
