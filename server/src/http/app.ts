import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { limits } from '@svc/contract'
import type { Service } from '../core/service.ts'
import { malformedAddress, methodNotAllowed } from '../domain/errors.ts'
import { routeNotFound } from '../domain/not-found-errors.ts'
import { errorPage, isNavigation } from './response/error-page.ts'
import { sendError } from './response/error-response.ts'
import { compileSerializer } from './response/compile-serializer.ts'
import { coalesceResponses } from './response/coalesce-responses.ts'
import { bindRoutes } from './bind-routes.ts'
import { limitConnections } from './connections/limit-connections.ts'
import { closeWhenIdle } from './connections/close-when-idle.ts'
import { serveDocumentation } from './api-reference.ts'
import { redirect, redirectionOf } from './domains.ts'
import { checkHosts } from './request/host.ts'
import { checkTransferCodings } from './request/request-body.ts'
import { knownPaths } from './known-paths.ts'
import { deferContinue } from './request/expect-continue.ts'
import { logRequest, logRequests } from './connections/log-requests.ts'
import { malformedRequests } from './connections/malformed-requests.ts'
import { originForm } from './request/origin-form.ts'
import { setSecurityHeaders, securityHeaders } from './response/security-headers.ts'
import { serializeRequests } from './connections/serialize-requests.ts'
import { endSlowBodies } from './connections/slow-bodies.ts'
import { serveStatic } from './static-files.ts'
import { compileValidator } from './request/validation.ts'
import { instrumentRequests, type InstrumentRequest } from './connections/instrument-requests.ts'

export interface Tls {
  readonly cert: Buffer
  readonly key: Buffer
}

/** A name of 1,024 characters takes up to 12 KiB in a URL, and other headers need space, too. */
const maxHeaderBytes = 32_768

/** Timeout for the head of a request, from the start of its connection or its first byte. Milliseconds. */
const headMs = 20_000

/** Interval at which Node checks head timeouts. Milliseconds. */
const checkIntervalMs = 2_000

/** Options of Node's server. `checkHosts` handles a missing host: Node's error response would have no body. */
const http = {
  maxHeaderSize: maxHeaderBytes,
  requireHostHeader: false,
  headersTimeout: headMs,
  connectionsCheckingInterval: checkIntervalMs,
}

/** A connection on which nothing moves for this long is dead. Milliseconds. */
const idleConnectionMs = 600_000

/** The HTTP side of the service: all routes, ready to listen. */
export async function createApp(
  service: Service,
  tls: Tls | null,
  watch?: InstrumentRequest,
): Promise<FastifyInstance> {
  const paths = knownPaths(service.config.path, maxHeaderBytes)
  const applySecurityHeaders = securityHeaders(service)
  const requests = serializeRequests()
  const malformed = malformedRequests(maxHeaderBytes, requests)
  const handleError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    sendError(error, request, reply, {
      service,
      format: isNavigation(request) ? (reason) => errorPage(service, request, reason) : 'json',
    })
  }
  const handleUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = paths.methodsAt(request.url)
    const path = request.url.split('?', 1)[0] ?? ''
    const isAllowed = methods?.split(', ').includes(request.method) === true
    if (isAllowed && path === `${service.config.path}/`)
      service.log.error('files of the page were deleted after the start: restart svcd, or install it again')
    handleError(
      methods === null || isAllowed ? routeNotFound(request.method, path) : methodNotAllowed(methods),
      request,
      reply,
    )
  }
  const app = Fastify({
    ...(tls === null ? { http } : { https: { ...tls, ...http } }),
    bodyLimit: limits.jsonBodyBytes,
    connectionTimeout: idleConnectionMs,
    clientErrorHandler: (error, socket) => {
      malformed.handle(error, socket)
    },
    rewriteUrl: originForm,
    forceCloseConnections: 'idle',
    // Running requests get their responses while the server stops.
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxHeaderBytes },
    frameworkErrors: (error, request, reply) => {
      // Hooks do not run for a path that cannot be decoded.
      logRequest(service, request, reply)
      applySecurityHeaders(request, reply)
      handleError(malformedAddress(error), request, reply)
    },
  }) as unknown as FastifyInstance
  requests.watch(app)
  malformed.watch(app)
  limitConnections(app, service, tls !== null)
  closeWhenIdle(app, requests)
  if (watch !== undefined) instrumentRequests(app, service.config.path, watch)
  logRequests(app, service)
  setSecurityHeaders(app, applySecurityHeaders)
  checkHosts(app, service)
  checkTransferCodings(app)
  endSlowBodies(app, service)
  deferContinue(app)
  coalesceResponses(app, service.log)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  app.setErrorHandler((error, request, reply) => {
    // Without a route, errors of the headers or the body matter less.
    if (request.is404) handleUnknown(request, reply)
    else handleError(error, request, reply)
  })
  app.setNotFoundHandler(handleUnknown)
  if (service.config.downloadDomain !== '') {
    app.addHook('onRequest', (request, reply, done) => {
      const target = redirectionOf(service, request)
      if (target === null) done()
      else redirect(reply, request.method, target)
    })
  }
  await app.register(
    async (scope) => {
      bindRoutes(scope, service, paths)
      await serveDocumentation(scope, service.config)
      await serveStatic(scope, service.config)
    },
    { prefix: service.config.path },
  )
  return app
}
