import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { documentPaths, endpoints, openApi } from '@svc/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { version } from '../core/status/describe-version.ts'
import { routes } from './routes.ts'
import { everyDocument } from './response/security-headers.ts'

const referencePolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; " +
  "base-uri 'none'; frame-ancestors 'none'"

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Svc: API reference</title>
    <link rel="stylesheet" href="swagger-ui.css">
  </head>
  <body>
    <main id="reference"></main>
    <script src="swagger-ui-bundle.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`

const startScript = `
SwaggerUIBundle({ url: '../openapi.json', dom_id: '#reference', deepLinking: true, defaultModelsExpandDepth: 0 })
`

/** Serves the OpenAPI description at `/openapi.json`, and Swagger UI at `/docs`. */
export async function serveDocumentation(app: FastifyInstance, config: Config): Promise<void> {
  // Routes of each provider are described once, with the provider as a parameter.
  const served = Object.fromEntries(routes.map(({ name }) => [name, endpoints[name]]))
  const description = JSON.stringify(
    openApi(served, { version, baseURL: config.path === '' ? '/' : config.path }),
  )
  app.get(documentPaths.openApi, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  )

  const headers = { 'content-security-policy': referencePolicy, ...everyDocument }
  const folder = `${documentPaths.reference}/`
  app.get(documentPaths.reference, (_request, reply) => reply.redirect(config.path + folder, 302))
  app.get(folder, (_request, reply) => reply.headers(headers).type('text/html; charset=utf-8').send(page))
  app.get(`${folder}start.js`, (_request, reply) =>
    reply.headers(headers).type('text/javascript').send(startScript),
  )
  await app.register(fastifyStatic, {
    root: swaggerUi(),
    prefix: folder,
    index: false,
    decorateReply: false,
  })
}

/** The directory with the files of Swagger UI. The plugin of the package is not used. */
function swaggerUi(): string {
  const entry = fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))
  return join(dirname(entry), 'static')
}
