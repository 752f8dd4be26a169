import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A target of webhooks that accepts every message at once. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string
  /** How many times each message arrived, by its id. */
  readonly arrivals: ReadonlyMap<string, number>
  /** Seconds since the first message arrived. */
  readonly elapsed: () => number
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const arrivals = new Map<string, number>()
  let firstAt: number | undefined
  const server = createServer((request, response) => {
    firstAt ??= performance.now()
    const id = String(request.headers['webhook-id'])
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1)
    request.resume()
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    arrivals,
    elapsed: () => (firstAt === undefined ? 0 : (performance.now() - firstAt) / 1000),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
