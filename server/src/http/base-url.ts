import type { FastifyRequest } from 'fastify'
import { plainAddress } from '../domain/addresses.ts'
import { downloadURL } from '../domain/download-url.ts'
import type { Service } from '../core/service.ts'

/** The address under which the client reached the service, without the path prefix. */
export function reachedOrigin({ config, isTrustedProxy }: Service, request: FastifyRequest): string {
  const { headers } = request
  const viaProxy = isTrustedProxy(plainAddress(request.raw.socket.remoteAddress ?? ''))
  const forwardedHost = viaProxy ? last(headers['x-forwarded-host']) : ''
  const host = [forwardedHost, headers.host].find((name) => name) ?? 'localhost'
  const forwarded = viaProxy ? last(headers['x-forwarded-proto']).toLowerCase() : ''
  const secure = forwarded === '' ? config.assumeHTTPS : forwarded === 'https'
  return `${secure ? 'https' : 'http'}://${host}`
}

/** Base of links in answers: the configured domain, else the address that the client used. */
export const linkBase = (service: Service, request: FastifyRequest): string =>
  downloadURL(service.config) ?? reachedOrigin(service, request) + service.config.path

/** Address of the web application, with a slash at its end. */
export const applicationBase = (service: Service, request: FastifyRequest): string => {
  const { svcDomain, path } = service.config
  return `${svcDomain === '' ? reachedOrigin(service, request) : svcDomain}${path}/`
}

/** What the nearest proxy has added; empty when it has added nothing. */
function last(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.join(',') : value)?.split(',').at(-1)?.trim() ?? ''
}
