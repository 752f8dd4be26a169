import type { Server as HttpServer } from 'node:http'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteOptions,
} from 'fastify'
import { limits } from '@svc/contract'
import type { Service } from '../core/service.ts'
import { invalidRequest, routeNotFound } from '../domain/errors.ts'
import { answerError, type ErrorFormat } from './answer.ts'
import { serveDocumentation } from './documentation.ts'
import { redirect, redirectionOf } from './domains.ts'
import { routerPath } from './parameters.ts'
import { preflight, routes, type Route } from './routes.ts'
import { serveStatic } from './static.ts'
import { compileValidator } from './validation.ts'

export interface Tls {
  readonly cert: Buffer
  readonly key: Buffer
}

/** A name of 1,024 characters takes up to 12 KiB in a URL, and other headers need room beside it. */
const maxHeaderBytes = 32_768

/** A connection on which nothing moves for this long is dead. Milliseconds. */
const idleConnectionMs = 600_000

/** The HTTP side of the service: all routes, ready to listen. */
export async function createApp(service: Service, tls: Tls | null): Promise<FastifyInstance> {
  const app = Fastify({
    ...(tls !== null && { https: { ...tls, maxHeaderSize: maxHeaderBytes } }),
    ...(tls === null && { http: { maxHeaderSize: maxHeaderBytes } }),
    bodyLimit: limits.jsonBodyBytes,
    connectionTimeout: idleConnectionMs,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: maxHeaderBytes },
    frameworkErrors: (error, request, reply) => {
      // A path that cannot be decoded.
      answerError(invalidRequest('the address is malformed', error), request, reply, {
        log: service.log,
        format: 'json',
      })
    },
  }) as unknown as FastifyInstance<HttpServer>
  app.setValidatorCompiler(compileValidator)
  app.setErrorHandler((error, request, reply) =>
    answerError(error, request, reply, { log: service.log, format: 'json' }),
  )
  app.setNotFoundHandler((request, reply) => {
    const missing = routeNotFound(request.method, request.url.split('?', 1)[0] ?? '')
    return answerError(missing, request, reply, { log: service.log, format: 'json' })
  })
  app.addHook('onRequest', async (request, reply) => {
    const target = redirectionOf(service, request)
    if (target !== null) return redirect(reply, request.method, target)
    return undefined
  })
  await app.register(
    async (site) => {
      addRoutes(site, service)
      await serveDocumentation(site, service.config)
      await serveStatic(site, service.config)
    },
    { prefix: service.config.path },
  )
  return app
}

function addRoutes(site: FastifyInstance, service: Service): void {
  for (const route of routes.filter(({ body }) => body === 'json')) site.route(routeOptions(service, route))
  for (const { endpoint } of routes.filter(({ endpoint }) => endpoint.download)) {
    site.options(routerPath(endpoint.path), (request, reply) => preflight({ service, request, reply }))
  }
  // Bodies of these routes are read by their handlers, whatever type they claim to be.
  site.register((doors, _options, done) => {
    doors.removeAllContentTypeParsers()
    doors.addContentTypeParser('*', (_request, _body, parsed) => {
      parsed(null)
    })
    for (const route of routes.filter(({ body }) => body === 'bytes'))
      doors.route(routeOptions(service, route))
    done()
  })
}

function routeOptions(service: Service, { endpoint, handle, errors }: Route): RouteOptions {
  const { body, query, answer } = endpoint
  return {
    method: endpoint.download ? ['GET', 'HEAD'] : endpoint.method,
    url: routerPath(endpoint.path),
    schema: {
      ...(body?.type === 'application/json' && { body: body.schema }),
      ...(query && { querystring: query }),
      ...(answer.type === 'application/json' && { response: { 200: answer.schema } }),
    },
    errorHandler: errorHandler(service, errors),
    handler: (request, reply) => handle({ service, request, reply }),
  }
}

const errorHandler =
  (service: Service, format: ErrorFormat) => (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerError(error, request, reply, { log: service.log, format })
