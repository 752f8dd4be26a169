import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import { openApi } from '@svc/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { version } from '../core/describe-version.ts'
import { routes } from './routes.ts'

const referencePolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; " +
  "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Serves the description of the routes at `/openapi.json`, and a page to read it at `/docs`. */
export async function serveDocumentation(app: FastifyInstance, config: Config): Promise<void> {
  const served = Object.fromEntries(routes.map(({ name, endpoint }) => [name, endpoint]))
  const document = openApi(served, { version, baseURL: config.path === '' ? '/' : config.path })
  app.get('/openapi.json', () => document)
  await app.register(fastifySwagger, { mode: 'static', specification: { document: document as never } })
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP: referencePolicy,
    uiConfig: { docExpansion: 'list', tryItOutEnabled: false },
  })
}
