import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { SerializedRequests } from './serialize-requests.ts'

/** Milliseconds between two checks of the connections while the server stops. */
const checkIntervalMs = 100

/**
 * Closes idle connections while the server stops, as soon as they are idle. Node checks only once, and treats a
 * connection as idle when its response is written, even if the last bytes still wait for a slow client.
 */
export function closeWhenIdle(
  app: FastifyInstance,
  { responses }: Pick<SerializedRequests, 'responses'>,
): void {
  const { server } = app
  const isFlushing = ({ writableEnded, writableFinished }: ServerResponse) =>
    writableEnded && !writableFinished
  const closeIdle = server.closeIdleConnections.bind(server)
  // Node can only close all idle connections, so they stay open while one of them is flushing.
  server.closeIdleConnections = () => {
    if (!responses().some(isFlushing)) closeIdle()
  }
  app.addHook('preClose', (done) => {
    done()
    if (!server.listening) return
    const timer = setInterval(() => {
      server.closeIdleConnections()
    }, checkIntervalMs)
    server.once('close', () => {
      clearInterval(timer)
    })
  })
}
