import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endpoints } from '@svc/contract'

/** Instead of a server of the service: it responds with what it was asked for. */
const upstream = createHttpServer((request, response) => {
  response.end(`${request.method ?? ''} ${request.url ?? ''}`)
})
let vite: ViteDevServer
let url: string

beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  vi.stubEnv('SVC_SERVER', urlOf(upstream.address()))
  vite = await createServer({
    configFile: path.resolve(import.meta.dirname, '../vite.config.ts'),
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  await vite.listen()
  url = urlOf(vite.httpServer?.address() ?? null)
})
afterAll(async () => {
  await vite.close()
  upstream.close()
})

const urlOf = (address: AddressInfo | string | null) =>
  `http://127.0.0.1:${String((address as AddressInfo).port)}`

const requests = Object.values(endpoints).map(
  (endpoint) => [endpoint.method, endpoint.path.replace(/\{\w+\}/g, 'name.txt')] as const,
)

test.each(requests)('in development, %s %s reaches the server', async (method, where) => {
  const response = await fetch(`${url}${where}`, { method })
  expect(await response.text()).toBe(method === 'HEAD' ? '' : `${method} ${where}`)
})

test('in development, the page and its service workers are served by Vite', async () => {
  const typeOf = async (where: string) => (await fetch(`${url}${where}`)).headers.get('content-type')
  expect(await typeOf('/')).toBe('text/html')
  expect(await typeOf('/save-worker.js')).toBe('text/javascript')
  expect(await typeOf('/shell-worker.js')).toBe('text/javascript')
  expect(await (await fetch(`${url}/save-worker.js`)).text()).not.toMatch(/^import /m)
})
