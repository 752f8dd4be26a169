import { headers } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { crossSite, invalidXsrf } from '../../domain/errors.ts'
import { reachedOrigin } from '../request/base-url.ts'
import type { RequestContext } from '../chain/chain.ts'
import { isSafe } from '../request/methods.ts'

/** Refuses changes that a page of another site asks a browser for, be somebody signed in or not. */
export function refuseCrossSite({ service, request }: RequestContext): object {
  if (!isSafe(request.method) && isCrossSite(service, request)) throw crossSite()
  return {}
}

/**
 * The same for what changes something though its method says otherwise: a link, a picture or a prefetch must not do it, from
 * wherever it comes. A script of our page may, and so may programs.
 */
export function refuseLinks({ service, request }: RequestContext): object {
  if (isCrossSite(service, request)) throw crossSite()
  if (isLink(request) && !(headers.xsrfToken in request.headers)) throw invalidXsrf()
  return {}
}

function isLink({ headers: sent }: FastifyRequest): boolean {
  const mode = sent['sec-fetch-mode']
  if (mode !== undefined) return mode !== 'cors' && mode !== 'same-origin'
  // Older browsers ask for a page, and programs for anything.
  return sent.accept?.includes('text/html') === true
}

function isCrossSite(service: Pick<Service, 'config' | 'isTrustedProxy'>, request: FastifyRequest): boolean {
  const { headers: sent } = request
  // A browser sends these for another site's page only after it was allowed to, which we never do.
  if (headers.userToken in sent || headers.uploadToken in sent) return false
  const site = sent['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  // Older browsers tell only the origin; programs tell neither.
  const { origin } = sent
  if (origin === undefined) return false
  const own = [service.config.svcDomain, reachedOrigin(service, request)]
  return origin === '' || !own.includes(origin)
}
