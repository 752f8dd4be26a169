import { headers } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { crossSite, invalidXsrf } from '../../domain/errors.ts'
import { reachedOrigin } from '../request/base-url.ts'
import type { RequestContext } from './chain.ts'
import { isSafe } from '../request/safe-methods.ts'

/** Refuses changes that a page of another site requests, with or without a session. */
export function refuseCrossSite({ service, request }: RequestContext): object {
  if (!isSafe(request.method) && isCrossSite(service, request)) throw crossSite()
  return {}
}

/**
 * Refuses links, images and prefetches for a GET route that changes something, even from this site. Scripts of the web
 * application and other programs are allowed.
 */
export function refuseLinks({ service, request }: RequestContext): object {
  if (isCrossSite(service, request)) throw crossSite()
  if (isLink(request) && !(headers.xsrfToken in request.headers)) throw invalidXsrf()
  return {}
}

function isLink({ headers: requestHeaders }: FastifyRequest): boolean {
  const mode = requestHeaders['sec-fetch-mode']
  if (mode !== undefined) return mode !== 'cors' && mode !== 'same-origin'
  // Older browsers accept HTML for a page; programs usually accept anything.
  return requestHeaders.accept?.includes('text/html') === true
}

const tokenHeaders = [headers.userToken, headers.uploadToken, headers.requestToken]

function isCrossSite(service: Pick<Service, 'config' | 'isTrustedProxy'>, request: FastifyRequest): boolean {
  const { headers: requestHeaders } = request
  // A browser sends these headers for another site only after a preflight, which the service never allows.
  if (tokenHeaders.some((name) => name in requestHeaders)) return false
  const site = requestHeaders['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  // Older browsers send only the origin; programs send neither.
  const { origin } = requestHeaders
  if (origin === undefined) return false
  const ownOrigins = [service.config.svcDomain, reachedOrigin(service, request)]
  return origin === '' || !ownOrigins.includes(origin)
}
