import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import { documentPaths } from '@svc/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { everyDocument } from './response/security-headers.ts'

/**
 * The headers of the web application. Its workers, which encrypt and decrypt, and its service worker, which passes
 * decrypted files to the browser through a frame, are scripts of this origin.
 * @param downloads the download domain with a leading space, or an empty string
 * @param scripts sources and permissions of scripts
 */
const pageHeaders = (downloads: string, scripts = "'self'") => ({
  'content-security-policy': [
    "default-src 'self'",
    // The page fetches files from the download domain to decrypt or display them, and displays decrypted ones from
    // memory.
    `connect-src 'self'${downloads}`,
    `img-src 'self' data: blob:${downloads}`,
    `media-src 'self' blob:${downloads}`,
    "frame-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    `script-src ${scripts}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // Only the sanitizer and Vue create HTML, and scripts are only from this origin.
    "require-trusted-types-for 'script'",
    'trusted-types dompurify vue default',
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  ...everyDocument,
})

/** The folder of files whose names contain a hash of their content. */
const assets = 'assets/'

/** Serves the web application, the release notes below `/changelog/`, and the client programs below `/clients/`. */
export async function serveStatic(
  app: FastifyInstance,
  { path, webappDirectory, changelogDirectory, clientsDirectory, features, downloadDomain }: Config,
): Promise<void> {
  const downloads = downloadDomain === '' ? '' : ` ${downloadDomain}`
  const headers = pageHeaders(downloads)
  // Of all assets, only workers use these headers: encryption workers compile their cipher to WebAssembly.
  const assetHeaders = pageHeaders(downloads, "'self' 'wasm-unsafe-eval'")
  if (existsSync(join(webappDirectory, 'index.html'))) {
    await app.register(fastifyStatic, {
      root: webappDirectory,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        if (relative(webappDirectory, path).startsWith(assets))
          reply.headers({ ...assetHeaders, 'cache-control': 'public, max-age=31536000, immutable' })
        else reply.headers({ ...headers, 'cache-control': 'no-cache' })
      },
    })
    // The plugin's wildcard route lists the directory for each request, to check the case of the name. With a thousand
    // assets, this takes most of the time of a small one.
    app.route<{ Params: { name: string } }>({
      method: ['GET', 'HEAD'],
      url: String.raw`/${assets}:name(^[\w.-]+$)`,
      handler: ({ params }, reply) => reply.sendFile(`${assets}${params.name}`),
    })
    // The page uses relative URLs, so its URL must end with a slash.
    if (path !== '')
      app.get('', ({ url }, reply) => reply.redirect(`${path}/${/\?.*/s.exec(url)?.[0] ?? ''}`, 302))
  }
  await serveFiles(app, `${documentPaths.releaseNotes}/`, changelogDirectory, {
    'content-type': 'text/plain; charset=utf-8',
  })
  if (features.feature_clients === 'enabled')
    await serveFiles(app, '/clients/', clientsDirectory, { 'content-disposition': 'attachment' })
}

/** Serves a directory, if it exists. */
async function serveFiles(
  app: FastifyInstance,
  prefix: string,
  root: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (!existsSync(root)) return
  await app.register(fastifyStatic, {
    root,
    prefix,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => {
      reply.headers(headers)
    },
  })
}
