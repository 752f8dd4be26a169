import type {
  FastifyInstance,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
  RouteOptions,
} from 'fastify'
import type { Service } from '../core/service.ts'
import { errorPage, isNavigation } from './response/error-page.ts'
import { sendError } from './response/error-response.ts'
import type { Handler } from './steps/chain.ts'
import { downloadHeaders } from './downloads/download-headers.ts'
import { anyName, refuseRouteNames, type KnownPaths } from './known-paths.ts'
import { mergePagingHeader } from './request/paging.ts'
import { routerPath } from './request/path-parameters.ts'
import { preflight, routes, type Route } from './routes.ts'
import { routeConfigOf } from './request/route-template.ts'

/** Registers every route of the route table. */
export function bindRoutes(app: FastifyInstance, service: Service, paths: KnownPaths): void {
  const trackTransfer = transferTracker(app)
  const options = routeOptions({ service, paths, trackTransfer })
  acceptOnlyJson(app)
  for (const route of routes.filter(({ body }) => body === 'json')) app.route(options(route))
  for (const { endpoint } of routes.filter(({ endpoint }) => endpoint.download)) {
    app.route({
      method: 'OPTIONS',
      url: routerPath(endpoint.path),
      config: routeConfigOf(endpoint, 'json'),
      handler: (request, reply) => preflight({ service, request, reply }),
    })
  }
  // The handlers of these routes read the body themselves, regardless of its content type.
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, parsed) => {
      parsed(null)
    })
    for (const route of routes.filter(({ body }) => body === 'bytes')) {
      scope.route(options(route))
    }
    done()
  })
}

/** Other content types get 415. An empty body counts as no body. */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null)
    else void parse(request, body, done)
  })
}

interface Binding {
  readonly service: Service
  readonly paths: KnownPaths
  readonly trackTransfer: (handle: Handler) => Handler
}

const routeOptions =
  (binding: Binding) =>
  (route: Route): RouteOptions => {
    const { service, trackTransfer } = binding
    const { endpoint, handle, body } = route
    const { query, response: responseContent, errorFormat: format = 'json' } = endpoint
    const handler = body === 'bytes' || endpoint.download ? trackTransfer(handle) : handle
    return {
      // Other routes use the framework's HEAD, which would report a length of 0 for a file.
      method: endpoint.download ? ['GET', 'HEAD'] : endpoint.method,
      url: routerPath(endpoint.path),
      config: routeConfigOf(endpoint, body),
      // The chain runs before validation: a caller without access gets that error, not a validation error.
      attachValidation: true,
      schema: {
        ...(endpoint.body?.type === 'application/json' && { body: endpoint.body.schema }),
        ...(query && { querystring: query }),
        ...(responseContent.type === 'application/json' && { response: { 200: responseContent.schema } }),
      },
      onRequest: onRequestHooks(binding, route),
      preValidation: preValidationHooks(route),
      errorHandler: (error, request, reply) => {
        const wantsErrorPage = endpoint.download === true && isNavigation(request)
        sendError(error, request, reply, {
          service,
          format: wantsErrorPage ? (reason) => errorPage(service, request, reason) : format,
        })
      },
      handler: (request, reply) => handler({ service, request, reply }),
    }
  }

/** Responses depend on the user and the time. Routes with cacheable responses set another header. */
const defaultHeaders = { 'cache-control': 'no-store' } as const

/** Hooks that run before the chain of a route. */
function onRequestHooks({ service, paths }: Binding, { endpoint }: Route): onRequestHookHandler[] {
  const headers = endpoint.download ? downloadHeaders(service.config.svcDomain) : defaultHeaders
  const hooks: onRequestHookHandler[] = []
  hooks.push((_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  if (endpoint.path === anyName)
    hooks.push((request, _reply, done) => {
      refuseRouteNames(paths, request)
      done()
    })
  // Fastify would refuse unknown content types; this route accepts any.
  if (endpoint.body?.type === 'application/octet-stream')
    hooks.push((request, _reply, done) => {
      request.headers['content-type'] = 'application/octet-stream'
      done()
    })
  return hooks
}

/** Hooks that run between the chain of a route and the validation of the request. */
function preValidationHooks({ endpoint }: Route): preValidationHookHandler[] {
  const hooks: preValidationHookHandler[] = []
  if (endpoint.bodyOptional)
    hooks.push((request, _reply, done) => {
      if (request.body === undefined) request.body = {}
      done()
    })
  if (endpoint.query?.properties['after'])
    hooks.push((request, _reply, done) => {
      try {
        mergePagingHeader(request)
      } catch (error) {
        // The header replaces the query, so its errors count as validation errors, regardless of their class.
        request.validationError = error as NonNullable<FastifyRequest['validationError']>
      }
      done()
    })
  return hooks
}

/** Closing the server waits for running transfers, because an interrupted one must still roll back. */
function transferTracker(app: FastifyInstance): (handle: Handler) => Handler {
  const running = new Set<Promise<unknown>>()
  app.addHook('onClose', async () => {
    await Promise.allSettled(running)
  })
  return (handle) => (context) => {
    const transfer = Promise.resolve(handle(context))
    running.add(transfer)
    return transfer.finally(() => running.delete(transfer))
  }
}
