import type { FastifyInstance, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import type { Service } from '../core/service.ts'
import { sendError } from './response/error-response.ts'
import type { Handler } from './chain/chain.ts'
import { downloadHeaders } from './downloads/download-headers.ts'
import { anyName, refuseRouteNames, type KnownPaths } from './known-paths.ts'
import { mergePagingHeader } from './request/paging.ts'
import { routerPath } from './request/path-parameters.ts'
import { preflight, routes, type Route } from './routes.ts'
import { watchedAs } from './connections/watch-requests.ts'

/** Gives the router every line of the route table. */
export function bindRoutes(site: FastifyInstance, service: Service, paths: KnownPaths): void {
  const finishing = finishTransfers(site)
  const options = optionsWith({ service, paths, finishing })
  acceptOnlyJson(site)
  for (const route of routes.filter(({ body }) => body === 'json')) site.route(options(route))
  for (const { endpoint } of routes.filter(({ endpoint }) => endpoint.download)) {
    site.route({
      method: 'OPTIONS',
      url: routerPath(endpoint.path),
      config: watchedAs(endpoint, 'json'),
      handler: (request, reply) => preflight({ service, request, reply }),
    })
  }
  // Bodies of these routes are read by their handlers, whatever type they claim to be.
  site.register((doors, _options, done) => {
    doors.removeAllContentTypeParsers()
    doors.addContentTypeParser('*', (_request, _body, parsed) => {
      parsed(null)
    })
    for (const route of routes.filter(({ body }) => body === 'bytes')) {
      doors.route(options(route))
    }
    done()
  })
}

/** Other types are refused with 415; an empty body is none. */
function acceptOnlyJson(site: FastifyInstance): void {
  const parse = site.getDefaultJsonParser('error', 'error')
  site.removeAllContentTypeParsers()
  site.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null)
    else void parse(request, body, done)
  })
}

interface Bound {
  readonly service: Service
  readonly paths: KnownPaths
  readonly finishing: (handle: Handler) => Handler
}

const optionsWith =
  (bound: Bound) =>
  (route: Route): RouteOptions => {
    const { service, finishing } = bound
    const { endpoint, handle, body, errors: format } = route
    const { query, response: answer } = endpoint
    const handler = body === 'bytes' || endpoint.download ? finishing(handle) : handle
    return {
      // The framework's own HEAD, which all others have, would call the length of a file 0.
      method: endpoint.download ? ['GET', 'HEAD'] : endpoint.method,
      url: routerPath(endpoint.path),
      config: watchedAs(endpoint, body),
      // The chain comes first: who may not ask is told so, and not what is wrong with the question.
      attachValidation: true,
      schema: {
        ...(endpoint.body?.type === 'application/json' && { body: endpoint.body.schema }),
        ...(query && { querystring: query }),
        ...(answer.type === 'application/json' && { response: { 200: answer.schema } }),
      },
      onRequest: firstSteps(bound, route),
      ...(endpoint.bodyOptional && {
        preValidation: (request, _reply, done) => {
          if (request.body === undefined) request.body = {}
          done()
        },
      }),
      ...(query?.properties['after'] && {
        preValidation: (request, _reply, done) => {
          try {
            mergePagingHeader(request)
          } catch (error) {
            // What is wrong with the header is wrong with the query that it stands for, whatever class says so.
            request.validationError = error as NonNullable<FastifyRequest['validationError']>
          }
          done()
        },
      }),
      errorHandler: (error, request, reply) => {
        service.databaseSpace.noticed(error)
        sendError(error, request, reply, { log: service.log, format })
      },
      handler: (request, reply) => handler({ service, request, reply }),
    }
  }

/** Answers are of somebody, at some time: those that may be kept say so themselves. */
const unlessToldOtherwise = { 'cache-control': 'no-store' } as const

/** What is done before the chain of a route begins. */
function firstSteps({ service, paths }: Bound, { endpoint }: Route): onRequestHookHandler[] {
  const headers = endpoint.download ? downloadHeaders(service.config.svcDomain) : unlessToldOtherwise
  const steps: onRequestHookHandler[] = []
  steps.push((_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  if (endpoint.path === anyName)
    steps.push((request, _reply, done) => {
      refuseRouteNames(paths, request)
      done()
    })
  // Fastify refuses a type that it cannot parse; here the type is not even looked at.
  if (endpoint.body?.type === 'application/octet-stream')
    steps.push((request, _reply, done) => {
      request.headers['content-type'] = 'application/octet-stream'
      done()
    })
  return steps
}

/** A transfer that is cut as the server stops still has something to undo: the end of the server waits for it. */
function finishTransfers(site: FastifyInstance): (handle: Handler) => Handler {
  const running = new Set<Promise<unknown>>()
  site.addHook('onClose', async () => {
    await Promise.allSettled(running)
  })
  return (handle) => (context) => {
    const transfer = Promise.resolve(handle(context))
    running.add(transfer)
    return transfer.finally(() => running.delete(transfer))
  }
}
