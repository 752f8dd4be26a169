import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../core/service.ts'
import { shortId } from '../../domain/ids.ts'
import { sourceAddress } from '../steps/source-address.ts'
import { routeConfig, routeTemplate } from '../request/route-template.ts'

/** Endpoints that load balancers and monitors poll. */
const polledRoutes: readonly unknown[] = ['/health', '/ready']

/**
 * Logs each request, including those without a chain: unknown routes, unreadable bodies, and redirects to the other
 * domain.
 */
export function logRequests(app: FastifyInstance, service: Service): void {
  app.addHook('onRequest', (request, reply, done) => {
    logRequest(service, request, reply)
    done()
  })
}

/**
 * Logs a request when it ends in any way, except for static files. The message has the route template and shortened
 * ids: a URL can contain a token or a file name, a query a password, and an id is enough to download. The path of an
 * unknown route can contain anything and is not logged.
 */
export function logRequest(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const { log, clock } = service
  const { path } = routeConfig(request)
  if (!log.isLevelEnabled('info') || polledRoutes.includes(path)) return
  const start = clock.now()
  const { address } = sourceAddress({ service, request, reply })
  const { raw } = reply
  raw.once('close', () => {
    if (path === undefined && raw.statusCode < 400) return
    log.info(
      {
        method: request.raw.method,
        route: routeTemplate(request, service.config.path),
        ...shortIds(request),
        status: raw.statusCode,
        ms: clock.now() - start,
        address,
        ...(!raw.writableFinished && { aborted: true }),
      },
      'request',
    )
  })
}

/** Shortened ids of upload and file; other parameters are names and tokens. */
function shortIds({ params }: FastifyRequest): { readonly upload?: string; readonly file?: string } {
  const { uploadID, fileID } = (params ?? {}) as Readonly<Record<string, string | undefined>>
  return {
    ...(uploadID !== undefined && { upload: shortId(uploadID) }),
    ...(fileID !== undefined && { file: shortId(fileID) }),
  }
}
