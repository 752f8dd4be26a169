import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MetricsSources {
  /** All metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>
  /** The response to `/ready`; null while the server is not ready. */
  readonly ready: () => Promise<string | null>
}

export interface MetricsListener {
  readonly port: number
  close(): Promise<void>
}

/**
 * A separate listener for operators: `/metrics` and `/ready`.
 * @throws when the port is taken
 */
export async function listenForMetrics(
  { address, port }: { readonly address: string; readonly port: number },
  { text, ready }: MetricsSources,
): Promise<MetricsListener> {
  const contents: Readonly<Record<string, () => Promise<string | null>>> = {
    '/metrics': text,
    '/ready': ready,
  }
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const content = Object.hasOwn(contents, path) ? contents[path] : undefined
    if (content !== undefined && (request.method === 'GET' || request.method === 'HEAD')) {
      void respond(response, content)
    } else end(response, 404, 'not found: use /metrics or /ready\n')
  })
  server.listen({ host: address, port })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

/** @param text resolves with null, or rejects, when the content is unavailable */
async function respond(response: ServerResponse, text: () => Promise<string | null>): Promise<void> {
  const body = await text().catch(() => null)
  if (body === null) end(response, 503, 'not ready\n')
  else end(response, 200, body)
}

function end(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}
