import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

/** A request that a receiver got. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

/** A server that receives webhooks. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Resolves with the requests when there are at least this many. */
  readonly receives: (count: number) => Promise<readonly Received[]>
  /** Changes how it responds; by default with 204. */
  respond: (response: ServerResponse, request: Received) => void
  /** Forgets the requests, and responds with 204 again. */
  readonly reset: () => void
  readonly close: () => Promise<void>
}

const accept: Receiver['respond'] = (response) => {
  response.writeHead(204).end()
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const message = { path: request.url ?? '', headers: request.headers, bytes, body: bytes.toString() }
      received.push(message)
      receiver.respond(response, message)
      for (const wake of waiting.splice(0)) wake()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    received,
    async receives(count) {
      while (received.length < count) {
        const { promise, resolve } = Promise.withResolvers<undefined>()
        waiting.push(() => {
          resolve(undefined)
        })
        await promise
      }
      return received
    },
    respond: accept,
    reset() {
      received.length = 0
      receiver.respond = accept
    },
    close: async () => {
      waiting = []
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

/**
 * Verifies the signature and the time of a request with the library of Standard Webhooks.
 * @param now the time of the receiver in ms
 * @returns the body
 * @throws when the signature or the time is wrong
 */
export function verified({ headers, body }: Received, secret: string, now: number): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    vi.useRealTimers()
  }
}
