import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Between two looks at the connections of a server that stops. Milliseconds. */
const lookMs = 100

/**
 * A server that stops closes connections as soon as they are idle, and none before. Node looks once, as it stops; and
 * it takes for idle what has its answer written, though the last bytes wait for a client that reads slowly.
 */
export function closeWhenIdle(app: FastifyInstance): void {
  const { server } = app
  const lastAnswers = new Map<Socket, ServerResponse>()
  server.on('request', ({ socket }, response) => {
    if (!lastAnswers.has(socket)) socket.once('close', () => lastAnswers.delete(socket))
    lastAnswers.set(socket, response)
  })
  const isOnItsWay = ({ writableEnded, writableFinished }: ServerResponse) =>
    writableEnded && !writableFinished
  const closeIdle = server.closeIdleConnections.bind(server)
  // They stay a little longer beside one that must not be closed: there is no way to close but one of them.
  server.closeIdleConnections = () => {
    if (!lastAnswers.values().some(isOnItsWay)) closeIdle()
  }
  app.addHook('preClose', (done) => {
    done()
    if (!server.listening) return
    const timer = setInterval(() => {
      server.closeIdleConnections()
    }, lookMs)
    server.once('close', () => {
      clearInterval(timer)
    })
  })
}
