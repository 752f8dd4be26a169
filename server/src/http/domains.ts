import { headers } from '@svc/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Service } from '../core/service.ts'
import { reachedOrigin } from './request/base-url.ts'

/** Endpoints of the instance, which every domain serves. */
const onEveryDomain = ['/health', '/ready']

/**
 * Separates uploaded content from the application if two domains are configured (docs/protocol.md#request-handling):
 * the download domain redirects the application's routes, other domains redirect downloads.
 * @returns the target of the redirect; null without a redirect
 */
export function redirectionOf(
  service: Pick<Service, 'config' | 'isTrustedProxy'>,
  request: FastifyRequest,
): string | null {
  const { config } = service
  if (config.downloadDomain === '' || config.downloadDomain === config.svcDomain) return null
  const { url, method } = request
  const path = routeOf(request).slice(config.path.length)
  if (onEveryDomain.includes(path)) return null
  // The download domain does not know the session of the owner of a received upload.
  if (headers.requestToken in request.headers) return null
  const host = hostOf(reachedOrigin(service, request))
  const isDownloadDomain = host === hostOf(config.downloadDomain)
  if (isDownload(path)) {
    const isServedHere = isDownloadDomain || isAlias(config, host) || (method !== 'GET' && method !== 'HEAD')
    return isServedHere ? null : config.downloadDomain + url
  }
  return isDownloadDomain && config.svcDomain !== '' ? config.svcDomain + url : null
}

export function redirect(reply: FastifyReply, method: string, target: string): FastifyReply {
  // 307 preserves the method and the body.
  return reply.redirect(target, method === 'GET' || method === 'HEAD' ? 302 : 307)
}

/**
 * The route of a URL, which can be encoded in many ways, such as `/fil%65/…`. For an unknown route, the path as sent.
 */
const routeOf = ({ is404, routeOptions, url }: FastifyRequest): string =>
  (is404 ? undefined : routeOptions.url) ?? url.split('?', 1)[0] ?? ''

const isDownload = (path: string) => /^\/(file|archive|stream|preview)\//.test(path)

/** Empty for an invalid host. */
const hostOf = (origin: string): string => URL.parse(origin)?.host ?? ''

const isAlias = (config: Config, host: string) =>
  config.downloadDomainAlias.some((alias) => hostOf(alias) === host)
