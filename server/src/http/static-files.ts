import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { everyDocument } from './response/security-headers.ts'

/**
 * Workers, which encrypt and decrypt, and the service worker that hands decrypted files to the browser through a frame, are
 * scripts of our own.
 * @param downloads the download domain with a space before it, or nothing
 * @param scripts where scripts come from, and what they may do
 */
const pageHeaders = (downloads: string, scripts = "'self'") => ({
  'content-security-policy': [
    "default-src 'self'",
    // Files are fetched to be decrypted, and looked at, from where they are downloaded, and those that were fetched whole from memory.
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
    // HTML enters the page through the sanitizer and Vue alone, scripts come from here alone.
    "require-trusted-types-for 'script'",
    'trusted-types dompurify vue default',
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  ...everyDocument,
})

/** Assets carry a hash of their content in their name: another content is another name. */
const hashed = /[/\\]assets[/\\]/

/** Serves the web application, the notes of each release below `/changelog/`, and the programs below `/clients/`. */
export async function serveStatic(
  app: FastifyInstance,
  { path, webappDirectory, changelogDirectory, clientsDirectory, features, downloadDomain }: Config,
): Promise<void> {
  const downloads = downloadDomain === '' ? '' : ` ${downloadDomain}`
  const headers = pageHeaders(downloads)
  // Of scripts, these count for workers alone: those of the encryption compile their cipher to WebAssembly.
  const assetHeaders = pageHeaders(downloads, "'self' 'wasm-unsafe-eval'")
  if (existsSync(join(webappDirectory, 'index.html'))) {
    await app.register(fastifyStatic, {
      root: webappDirectory,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        if (hashed.test(path))
          reply.headers({ ...assetHeaders, 'cache-control': 'public, max-age=31536000, immutable' })
        else reply.headers({ ...headers, 'cache-control': 'no-cache' })
      },
    })
    // The page asks for what lies beside it, so that its address has to end in a slash.
    if (path !== '')
      app.get('', ({ url }, reply) => reply.redirect(`${path}/${/\?.*/s.exec(url)?.[0] ?? ''}`, 302))
  }
  await serveFiles(app, '/changelog/', changelogDirectory, { 'content-type': 'text/plain; charset=utf-8' })
  if (features.feature_clients === 'enabled')
    await serveFiles(app, '/clients/', clientsDirectory, { 'content-disposition': 'attachment' })
}

/** Serves a directory as it is, if it is there. */
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
