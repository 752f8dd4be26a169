import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { rolldown } from 'rolldown'

const root = path.join(import.meta.dirname, '../../../..')
const page =
  '<!doctype html><meta charset="utf-8"><title>Encryption</title><script type="module" src="/page.js"></script>'
/** Like the service's policy, without Trusted Types. */
const policyFor = (script: string) =>
  `default-src 'self'; script-src ${script}; object-src 'none'; base-uri 'self'`

/** The scripts as a browser gets them, by the URL of their imports. */
async function bundledScripts(): Promise<Map<string, string>> {
  const bundle = await rolldown({
    cwd: root,
    input: {
      page: 'e2e/src/support/encryption/encryption-page.ts',
      worker: 'encryption/src/browser/worker.ts',
    },
    platform: 'browser',
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'esm', chunkFileNames: '[name].js' })
  await bundle.close()
  const scripts = output.flatMap((file) =>
    file.type === 'chunk' ? [[`/${file.fileName}`, file.code] as const] : [],
  )
  const byAddress = new Map(scripts)
  const worker = byAddress.get('/worker.js')
  if (worker === undefined) throw new Error('the bundle has no worker')
  // Vite renames the worker; here it keeps the name in the source.
  return byAddress.set('/worker.ts', worker)
}

export interface PageServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * Serves a page with the encryption module only.
 * @param mayCompile whether its workers may use WebAssembly
 */
export async function startPageServer(mayCompile = true): Promise<PageServer> {
  const scripts = await bundledScripts()
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '')
    const allowsWasm = script !== undefined && mayCompile
    response.setHeader(
      'content-security-policy',
      policyFor(allowsWasm ? "'self' 'wasm-unsafe-eval'" : "'self'"),
    )
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script ?? page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop: async () => {
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    },
  }
}
