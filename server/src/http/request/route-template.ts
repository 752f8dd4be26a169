import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '@svc/contract'

/** Requests that transfer a file's bytes. */
export type Transfer = 'upload' | 'download' | 'archive'

/** What logs and metrics need to know of a route. */
interface RouteConfig {
  readonly path?: string
  readonly transfer?: Transfer
}

/** The configuration of the route of an endpoint. */
export function routeConfigOf(
  { path, download, response: content }: Endpoint,
  body: 'json' | 'bytes',
): RouteConfig {
  if (body === 'bytes') return { path, transfer: 'upload' }
  if (download !== true) return { path }
  return { path, transfer: content.type === 'application/zip' ? 'archive' : 'download' }
}

/** The configuration of the route of a request; empty for static files and unknown routes. */
export const routeConfig = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): RouteConfig =>
  routeOptions.config as RouteConfig

/**
 * The route template of a request, such as `/upload/{uploadID}`: never text from a client. `none` for unknown routes.
 * @param prefix path of the service, which is left out of those of static files
 */
export function routeTemplate(request: Pick<FastifyRequest, 'routeOptions'>, prefix = ''): string {
  const { url } = request.routeOptions
  return routeConfig(request).path ?? (url === undefined ? 'none' : url.slice(prefix.length) || '/')
}

/** Whether the route of a request receives a file. */
export const isUpload = (request: FastifyRequest): boolean => routeConfig(request).transfer === 'upload'
