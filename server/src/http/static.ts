import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'

const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; script-src 'self'; " +
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/** Assets carry a hash of their content in their name: another content is another name. */
const hashed = /[/\\]assets[/\\]/

/** Serves the web application, and the notes of each release below `/changelog/`. */
export async function serveStatic(
  app: FastifyInstance,
  { webappDirectory, changelogDirectory }: Config,
): Promise<void> {
  if (existsSync(join(webappDirectory, 'index.html'))) {
    await app.register(fastifyStatic, {
      root: webappDirectory,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const caching = hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
        reply.headers({ ...pageHeaders, 'cache-control': caching })
      },
    })
  }
  if (existsSync(changelogDirectory)) {
    await app.register(fastifyStatic, {
      root: changelogDirectory,
      prefix: '/changelog/',
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply) => {
        reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
      },
    })
  }
}
