import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Service } from '../core/service.ts'
import { reachedOrigin } from './request/base-url.ts'

/** Answers of the instance itself, not of a domain. */
const everywhere = ['/health', '/ready']

/**
 * Keeps what people uploaded and the application apart, where two domains are configured (specification §1):
 * the application's routes leave the download domain, downloads leave every other.
 * @returns where the request must go instead, if anywhere
 */
export function redirectionOf(
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): string | null {
  const { config } = service
  if (config.downloadDomain === '' || config.downloadDomain === config.svcDomain) return null
  const { url, method } = request
  const path = routeOf(request).slice(config.path.length)
  if (everywhere.includes(path)) return null
  const host = hostOf(reachedOrigin(service, request))
  const atDownloads = host === hostOf(config.downloadDomain)
  if (isDownload(path)) {
    const stay = atDownloads || isAlias(config, host) || (method !== 'GET' && method !== 'HEAD')
    return stay ? null : config.downloadDomain + url
  }
  return atDownloads && config.svcDomain !== '' ? config.svcDomain + url : null
}

export function redirect(reply: FastifyReply, method: string, target: string): FastifyReply {
  // 307 keeps the method and the body of a request that is more than a look.
  return reply.redirect(target, method === 'GET' || method === 'HEAD' ? 302 : 307)
}

/**
 * What the router takes an address for: it may be written in many ways, `/fil%65/…` among them. What it does not know stands
 * as it was written.
 */
const routeOf = ({ is404, routeOptions, url }: FastifyRequest): string =>
  (is404 ? undefined : routeOptions.url) ?? url.split('?', 1)[0] ?? ''

const isDownload = (path: string) => /^\/(file|archive|stream)\//.test(path)

/** Empty for what a client sent as its host and cannot be one. */
const hostOf = (origin: string): string => URL.parse(origin)?.host ?? ''

const isAlias = (config: Config, host: string) =>
  config.downloadDomainAlias.some((alias) => hostOf(alias) === host)
